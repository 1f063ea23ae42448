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
