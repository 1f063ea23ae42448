/** Cells as text for spreadsheets (TSV) and files (CSV). */
import { plain, type Value } from './format';

/** Tabs between cells, line feeds between rows; a cell with either is in double quotes, as spreadsheets read it. */
export const tsv = (rows: readonly (readonly Value[])[]): string => lines(rows, '\t', /["\t\r\n]/);

/** RFC 4180. */
export const csv = (rows: readonly (readonly Value[])[]): string => lines(rows, ',', /[",\r\n]/);

function lines(rows: readonly (readonly Value[])[], between: string, special: RegExp): string {
  const quote = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map(r => r.map(v => quote(plain(v))).join(between)).join('\n');
}
