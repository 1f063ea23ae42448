import type { Item, Widget } from '../../api/dashboards';
import { duration } from '../../ui/formats';

// WidgetState names what a widget shows.
export type WidgetState = 'text' | 'refused' | 'failed' | 'loading' | 'empty' | 'shown';

export function stateOf(w: Pick<Widget, 'kind' | 'refused'>, item: Item | undefined): WidgetState {
  if (w.refused || item?.state === 'refused') {
    return 'refused';
  }
  if (w.kind === 'text') {
    return 'text';
  }
  if (item?.result) {
    return item.rows === 0 ? 'empty' : 'shown';
  }
  return item?.state === 'failed' ? 'failed' : 'loading';
}

const day = 86_400; // seconds

// staleAfter returns the age in seconds from which a result is old: two refreshes were missed, or it is of another day.
export const staleAfter = (refresh: number | undefined): number => (refresh ? 2 * refresh + 60 : day);

// isStale says whether a result is older than it should be, or a newer run of its query failed.
export function isStale(item: Item | undefined, refresh: number | undefined, now: number): boolean {
  if (!item?.result || !item.finished) {
    return false;
  }
  return item.state === 'failed' || (now - Date.parse(item.finished)) / 1000 > staleAfter(refresh);
}

// oldest returns the time of the oldest result that is seen.
export const oldest = (items: Iterable<Item>): string | undefined =>
  [...items].flatMap(i => (i.result && i.finished ? [i.finished] : [])).sort()[0];

export const failing = (items: Iterable<Item>): number => [...items].filter(i => i.state === 'failed').length;

// rhythm says how often a dashboard is refreshed.
export const rhythm = (refresh: number | undefined): string =>
  refresh ? `every ${duration(refresh).replace(/ 0 \w+$/, '')}` : 'by hand';
