/** Lines and blanks of SQL as people are used to them. Nothing but blanks and the case of reserved words changes. */
import { duckdb, formatDialect, trino } from 'sql-formatter';
import { scan } from './scan';

// No name can be one of these, so their case means nothing.
const reserved = new Set(
  (
    'alter and as between by case cast constraint create cross cube delete describe distinct drop else end escape except execute exists ' +
    'extract false for from full group grouping having in inner insert intersect into is join left like natural not null on or order ' +
    'outer prepare recursive right rollup select table then true union unnest using values when where with'
  ).split(' '),
);

/** Formats one or more statements; comments and {{parameters}} stay. The error says why a text cannot be formatted. */
export function formatSql(sql: string, dialect: 'presto' | 'duckdb'): string {
  let text: string;
  try {
    text = formatDialect(sql, {
      dialect: dialect === 'duckdb' ? duckdb : trino,
      tabWidth: 2,
      expressionWidth: 90,
      linesBetweenQueries: 1,
      paramTypes: { custom: [{ regex: '\\{\\{[^{}\\n]*\\}\\}' }] },
    });
  } catch (e) {
    throw new Error(String(e instanceof Error ? e.message : e).split('\n')[0]);
  }
  const formatted = upper(text);
  if (words(formatted) !== words(upper(sql))) {
    throw new Error('the formatter would change more than blanks');
  }
  return formatted;
}

function upper(sql: string): string {
  let text = '';
  let at = 0;
  for (const t of scan(sql)) {
    const word = t.kind === 'word' && reserved.has(t.text.toLowerCase());
    text += sql.slice(at, t.from) + (word ? t.text.toUpperCase() : t.text);
    at = t.to;
  }
  return text + sql.slice(at);
}

const words = (sql: string): string =>
  scan(sql)
    .map(t => (t.kind === 'comment' ? t.text.replace(/\s+/g, ' ').trim() : t.text))
    .join('\n');
