// Saved queries with charts, and the SQL of some.
import type { Page } from 'playwright-core';
import { api } from '.';

export type Row = (string | number | null)[];

// rowsOf runs SQL and returns its rows.
export async function rowsOf(sql: string): Promise<Row[]> {
  const { id } = await api<{ id: string }>('POST', '/queries', { sql, wait: 30 });
  return (await api<{ rows: Row[] }>('GET', `/queries/${id}/rows?limit=10000`)).rows;
}

// saved saves a query with a chart and runs it, and returns its address.
export async function saved(title: string, sql: string, chart: object, more: object = {}): Promise<string> {
  const s = await api<{ id: string }>('POST', '/saved', { title, sql, chart, ...more });
  await api('POST', '/queries', { sql, saved: s.id, wait: 30 });
  return `/saved/${s.id}`;
}

// cells returns the texts of a table, row by row.
export const cells = (page: Page, selector: string): Promise<string[][]> =>
  page
    .locator(selector)
    .evaluateAll(rows => rows.map(r => [...r.querySelectorAll('th, td:not([aria-hidden])')].map(c => c.textContent ?? '')));

export const percent = (n: number) => `${Number((100 * n).toFixed(1))}%`;
export const grouped = (n: number) => n.toLocaleString('en-GB');

export const perDay = `WITH active AS (SELECT DISTINCT client_id, submission_date_obj AS day FROM clients_daily),
first AS (SELECT client_id, min(day) AS cohort FROM active GROUP BY 1)
SELECT cohort, day, count(*) AS clients FROM first JOIN active USING (client_id) GROUP BY 1, 2`;

// The pings of the tests have no countries: their samples stand for some.
export const country =
  "element_at(ARRAY['DE', 'FR', 'US', 'CA', 'BR', 'IN', 'CN', 'SG', 'MT', 'AU', 'ZA', '??'], cast(sample_id AS integer) % 12 + 1)";
export const byCountry = `SELECT ${country} AS country, count(DISTINCT client_id) AS clients FROM clients_daily GROUP BY 1 ORDER BY 2 DESC`;
export const byOs =
  'SELECT os, normalized_channel AS channel, count(DISTINCT client_id) AS clients FROM clients_daily GROUP BY 1, 2 ORDER BY 3 DESC';
export const byDay = `SELECT submission_date_obj AS day, normalized_channel AS channel, count(*) AS clients,
approx_percentile(active_hours_sum, 0.05) AS p5, approx_percentile(active_hours_sum, 0.25) AS p25, approx_percentile(active_hours_sum, 0.5) AS p50,
approx_percentile(active_hours_sum, 0.75) AS p75, approx_percentile(active_hours_sum, 0.95) AS p95 FROM clients_daily GROUP BY 1, 2 ORDER BY 1, 2`;
export const boxes = byDay
  .replace('normalized_channel AS channel, ', '')
  .replace('GROUP BY 1, 2 ORDER BY 1, 2', 'GROUP BY 1 ORDER BY 1');
export const funnel = `SELECT 'pings' AS step, count(DISTINCT client_id) AS clients FROM main_summary
UNION ALL SELECT 'active', count(DISTINCT client_id) FROM main_summary WHERE active_ticks > 0
UNION ALL SELECT 'searched', count(DISTINCT client_id) FROM main_summary WHERE active_ticks > 0 AND cardinality(search_counts) > 0 ORDER BY 2 DESC`;
