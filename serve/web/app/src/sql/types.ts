/** Columns with their types as the server writes them, in the syntax of Presto or of DuckDB. */
export interface Column {
  name: string;
  type: string;
  doc?: string;
}

export type Family = 'number' | 'time' | 'boolean' | 'text' | 'nested';

/** What a type is for tables and charts. */
export function family(type: string): Family {
  const t = type.toLowerCase();
  if (/\[\d*\]$/.test(t) || /^(array|map|row|struct|union|json|list)\b/.test(t)) return 'nested';
  if (
    /^(tinyint|smallint|integer|int\d*|bigint|hugeint|u(tiny|small|big|huge)int|uinteger|real|float\d?|double|decimal|numeric)\b/.test(
      t,
    )
  )
    return 'number';
  if (/^(date|timestamp|datetime)/.test(t)) return 'time';
  if (/^bool/.test(t)) return 'boolean';
  return 'text';
}

/** The fields of a row type, such as row(a varchar, "b c" map(varchar, bigint)); none for other types. */
export function fieldsOf(type: string): Column[] {
  const m = /^(?:row|struct)\s*\(([\s\S]*)\)$/i.exec(type.trim());
  return m ? split(m[1] ?? '').flatMap(field) : [];
}

function field(text: string): Column[] {
  const m = /^\s*(?:"((?:[^"]|"")*)"|([^\s"]+))\s+([\s\S]+)$/.exec(text);
  return m ? [{ name: m[1]?.replaceAll('""', '"') ?? m[2] ?? '', type: (m[3] ?? '').trim() }] : [];
}

/** Cuts at commas outside of brackets and quotes. */
function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (c === '(') depth++;
    else if (c === ')') depth--;
    else if (c === ',' && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
