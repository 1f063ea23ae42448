import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../api/errors';
import { toast } from '../ui';
import { plural } from '../ui/formats';
import type { Column, Row } from './format';
import type { Sorted } from './GridHead';
import type { Pages } from './pages';
import { order } from './sort';

// useSort has the rows of a result in the order of a column, if the whole result fits into the browser.
export function useSort(columns: Column[], pages: Pages) {
  const [sorted, setSorted] = useState<Sorted>();
  const [held, setHeld] = useState<{ all: Row[]; order: number[] }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another result has its own order
  useEffect(() => {
    setSorted(undefined);
    setHeld(undefined);
  }, [pages]);
  const by = async (column: number) => {
    const next =
      sorted?.column !== column ? { column, descending: false } : sorted.descending ? undefined : { column, descending: true };
    if (!next) {
      setSorted(undefined);
      setHeld(undefined);
      return;
    }
    if (!pages.fits) {
      toast(`${plural(pages.total, 'row')} are too many to sort here: add ORDER BY ${columns[column]?.name} to the query.`);
      return;
    }
    try {
      const all = held?.all ?? (await pages.load(0, pages.total));
      setHeld({ all, order: order(all, column, columns[column]?.type ?? '', next.descending) });
      setSorted(next);
    } catch (e) {
      toast(`The rows could not be loaded: ${errorText(e)}`, { bad: true });
    }
  };
  return {
    sorted,
    by,
    order: held?.order,
    row: (i: number): Row | undefined => (held ? held.all[held.order[i] ?? -1] : pages.row(i)),
    rows: async (from: number, to: number): Promise<Row[]> =>
      held ? held.order.slice(from, to).map(i => held.all[i] as Row) : pages.load(from, to),
  };
}
