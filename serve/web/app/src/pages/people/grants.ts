export interface Grant {
  table: string;
  columns?: string[] | null;
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
  const before = grants.find(g => g.table === table)?.columns ?? [];
  return [...others, access === 'all' ? { table } : { table, columns: columns ?? before }];
}

// faults returns the errors that keep grants from being saved.
export const faults = (grants: readonly Grant[]): string[] =>
  grants.filter(g => g.columns && g.columns.length === 0).map(g => `${g.table}: choose columns, or take the access away`);
