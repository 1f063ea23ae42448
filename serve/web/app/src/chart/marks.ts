/** Days that a time axis marks: texts that people wrote, and releases that are found in the data. */
import { annotations } from '../api/annotations';
import { ended, rowsOf, submit } from '../api/queries';
import { person } from '../app/session';
import type { Row } from '../result/format';
import { seconds } from './columns';
import type { Data, Mark } from './data';

const mostReleases = 20;
const dashed = (s: number) => new Date(s * 1000).toISOString().slice(0, 10);

/** The first and last day of a time axis; undefined for other axes. */
export function daysOf(data: Data): { from: string; to: string } | undefined {
  const [first, last] = [data.x[0], data.x.at(-1)];
  return data.scale === 'time' && first !== undefined && last !== undefined && last > first
    ? { from: dashed(first), to: dashed(last) }
    : undefined;
}

/** Answers that charts of the same days share, for each person. */
const kept = new Map<string, { until: number; marks: Promise<Mark[]> }>();
const minute = 60_000;

function share(key: string, lasts: number, load: () => Promise<Mark[]>): Promise<Mark[]> {
  const own = `${person.value?.id} ${key}`;
  const known = kept.get(own);
  if (known && known.until > Date.now()) return known.marks;
  const marks = load();
  marks.catch(() => kept.delete(own));
  kept.set(own, { until: Date.now() + lasts, marks });
  return marks;
}

/** The annotations of some days. turn counts changes: each one has them loaded again. */
export const notes = (from: string, to: string, turn: number): Promise<Mark[]> =>
  share(`notes ${turn} ${from} ${to}`, minute, async () =>
    (await annotations(from, to)).map(note => ({ at: seconds(note.day) ?? 0, text: note.text, note })),
  );

/** SQL for the versions of the channel release that were built in some days, and that 1 % of its rows have at least. */
export const releasesSql = (from: string, to: string): string => {
  const [first, last] = [from, to].map(d => d.replaceAll('-', ''));
  return `SELECT app_version, built, n
FROM (
  SELECT app_version, min(substr(env_build_id, 1, 8)) AS built, count(*) AS n, sum(count(*)) OVER () AS whole
  FROM clients_daily
  WHERE submission_date_obj BETWEEN '${first}' AND '${last}'
    AND normalized_channel = 'release'
    AND length(env_build_id) = 14
  GROUP BY 1
)
WHERE built BETWEEN '${first}' AND '${last}' AND 100 * n >= whole
ORDER BY n DESC, 1
LIMIT ${mostReleases}`;
};

/** The marks of rows with a version and the day of its build. */
export const releaseMarks = (rows: readonly Row[]): Mark[] =>
  rows.flatMap(([version, built]) => {
    const at = seconds(built);
    return at === undefined ? [] : [{ at, text: `${version} was built` }];
  });

/** The releases of some days, by a query of the person. */
export const releases = (from: string, to: string): Promise<Mark[]> =>
  share(`releases ${from} ${to}`, 60 * minute, () => ask(releasesSql(from, to)));

async function ask(sql: string): Promise<Mark[]> {
  const q = await submit({ sql, dialect: 'presto' }, 30);
  if (!ended(q) || q.state !== 'done') throw new Error('the query for releases failed');
  const page = await rowsOf(q.id)(0, mostReleases, new AbortController().signal);
  return releaseMarks(page.rows);
}

/** Marks in the order of their days, with the letters that charts call them by. */
export const lettered = (marks: readonly Mark[]): (Mark & { letter: string })[] =>
  [...marks].sort((a, b) => a.at - b.at).map((m, i) => ({ ...m, letter: i < 26 ? String.fromCharCode(65 + i) : String(i + 1) }));
