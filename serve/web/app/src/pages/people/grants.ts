export interface Grant {
  table: string;
  columns?: string[] | null;
  rows?: Condition[] | null;
}

// Condition limits the rows of a table to those where a column has one of some values.
export interface Condition {
  column: string;
  values: string[] | null;
}

export type Access = 'none' | 'all' | 'some';

export const everyTable = '*'; // that is not restricted

export const accessTo = (grants: readonly Grant[], table: string): Access => {
  const g = grants.find(g => g.table === table);
  return g ? (g.columns ? 'some' : 'all') : 'none';
};

// withAccess gives grants in which a table has other access. Columns that were chosen stay chosen.
export function withAccess(grants: readonly Grant[], table: string, access: Access, columns?: string[]): Grant[] {
  const others = grants.filter(g => g.table !== table);
  if (access === 'none') {
    return others;
  }
  const before = grants.find(g => g.table === table);
  const rows = before?.rows ? { rows: before.rows } : {};
  return [...others, { table, ...(access === 'some' && { columns: columns ?? before?.columns ?? [] }), ...rows }];
}

// rowsText gives the conditions on the rows of a table in the form that people edit: country=DE|AT, channel=release.
export const rowsText = (grants: readonly Grant[], table: string): string =>
  (grants.find(g => g.table === table)?.rows ?? []).map(c => `${c.column}=${(c.values ?? []).join('|')}`).join(', ');

// withRows gives grants in which a table has other conditions on its rows.
export function withRows(grants: readonly Grant[], table: string, text: string): Grant[] {
  const rows = text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const [column = '', ...value] = part.split('=');
      const values = value.join('=').split('|');
      return { column: column.trim(), values: value.length === 0 ? [] : values.map(v => v.trim()) };
    });
  return grants.map(g => {
    if (g.table !== table) {
      return g;
    }
    const { rows: _, ...rest } = g;
    return rows.length > 0 ? { ...rest, rows } : rest;
  });
}

// faults returns the errors that keep grants from being saved.
export const faults = (grants: readonly Grant[]): string[] =>
  grants.flatMap(g => [
    ...(g.columns && g.columns.length === 0 ? [`${g.table}: choose columns, or take the access away`] : []),
    ...(g.rows ?? [])
      .filter(c => !c.values?.length)
      .map(c => `${g.table}: write values after ${c.column}, such as ${c.column}=DE|AT`),
  ]);
