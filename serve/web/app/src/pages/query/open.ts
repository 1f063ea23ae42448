import type { Dialect } from '../../api/queries';
import type { Parameter } from '../../sql/parameters';

// Opened is a question that another page has the query page open.
export interface Opened {
  sql: string;
  dialect?: Dialect;
  declared?: Parameter[]; // of the query that it was made from
  run?: boolean; // at once
}

const key = 'open-query';

// openQuery opens SQL in the query page: <a href="/query" onClick={() => openQuery({ sql, run: true })}>. A link alone cannot run
// anything, so that nobody can make others run a query by an address.
export const openQuery = (o: Opened): void => sessionStorage.setItem(key, JSON.stringify(o));

// takeOpened returns the last opened query, once.
export function takeOpened(): Opened | undefined {
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  try {
    return text ? (JSON.parse(text) as Opened) : undefined;
  } catch {
    return undefined;
  }
}
