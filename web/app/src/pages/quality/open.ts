// openQuery has the query page open SQL when it is shown next: a link alone cannot run anything.
export const openQuery = (sql: string): void => sessionStorage.setItem('open-query', JSON.stringify({ sql, run: true }));
