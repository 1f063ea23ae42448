import { SQLDialect } from '@codemirror/lang-sql';
import type { Extension } from '@codemirror/state';
import type { Dictionary } from '../complete';

export type Dialect = 'presto' | 'duckdb';

const types =
  'varchar char varbinary boolean tinyint smallint integer int bigint hugeint real float double decimal numeric date time timestamp ' +
  'interval json array map row struct uuid ipaddress';

// What is coloured before the words of the server have come.
const keywords =
  'select from where group by having order limit with as join left right inner outer cross on and or not in is null case when then else end union all distinct';

// Functions that DuckDB has, too: the server's list is of Presto's.
const common = new Set(
  (
    'count sum avg min max stddev variance array_agg coalesce nullif greatest least abs round floor ceil sqrt ln log10 power mod sign lower upper length ' +
    'substr replace trim ltrim rtrim reverse concat concat_ws starts_with strpos split_part regexp_replace date_trunc date_diff year month day hour ' +
    'row_number rank dense_rank ntile lag lead first_value last_value cast now'
  ).split(' '),
);

/** What is offered in a dialect. */
export const wordsOf = (dialect: Dialect, d: Dictionary): Dictionary =>
  dialect === 'presto'
    ? d
    : { ...d, functions: d.functions.filter(f => common.has(f.name)).map(f => ({ name: f.name, signatures: [], doc: f.doc })) };

/** The language of a dialect: keywords and functions are those that the server offers. */
export function language(dialect: Dialect, d: Dictionary): Extension {
  const words = d.keywords.flatMap(k => k.toLowerCase().split(/\s+/));
  return SQLDialect.define({
    keywords: [...new Set([...keywords.split(' '), ...words])].join(' '),
    builtin: d.functions.map(f => f.name).join(' '),
    types,
    doubleDollarQuotedStrings: dialect === 'duckdb',
    caseInsensitiveIdentifiers: true,
    identifierQuotes: '"',
  }).extension;
}
