import type { components } from '../../api/schema';
import { day } from '../../ui/formats';

export type TableInfo = components['schemas']['Table'];

// firstQuery returns SQL that reads the newest complete day of a table.
export function firstQuery(t: Pick<TableInfo, 'name' | 'partitionKeys' | 'fresh'>, rows = 100): string {
  const key = t.partitionKeys?.[0];
  const newest = t.fresh.complete ?? t.fresh.newest;
  const value = newest && (key === 'submission_date' ? day(newest) : newest);
  return `SELECT *\nFROM ${t.name}${key && value ? `\nWHERE ${key} = '${value}'` : ''}\nLIMIT ${rows}`;
}
