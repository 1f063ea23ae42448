// Text that was not saved is kept in the browser, for each tab of it. A new tab begins with nothing; a tab that is loaded again,
// or opened again after the browser was closed, with what it had.
import type { Dialect } from '../../api/queries';
import { person } from '../../app/session';
import type { Chart } from '../../chart/chart';
import type { Parameter, Values } from '../../sql/parameters';

export interface Draft {
  text: string;
  dialect: Dialect;
  values: Values;
  declared?: Parameter[];
  chart?: Chart;
  charts?: Chart[];
  saved?: string; // id of the saved query that is edited
  run?: string; // id of the last run
  at: number; // ms
}

// prefix is of the person's own drafts: others may use the same browser.
const prefix = () => `draft:${person.value?.id ?? ''}:`;
const most = 12;

// tabName is the name of this browser tab; it stays when the page is loaded again.
function tabName(): string {
  let name = sessionStorage.getItem('tab');
  if (!name) {
    name = crypto.getRandomValues(new Uint32Array(2)).join('-');
    sessionStorage.setItem('tab', name);
  }
  return name;
}

const readDraft = (key: string): Draft | undefined => {
  try {
    const d = JSON.parse(localStorage.getItem(key) ?? '') as Draft;
    return typeof d.text === 'string' ? d : undefined;
  } catch {
    return undefined;
  }
};

export const ownDraft = (): Draft | undefined => readDraft(prefix() + tabName());

export function keepDraft(d: Omit<Draft, 'at'>): void {
  try {
    localStorage.setItem(prefix() + tabName(), JSON.stringify({ ...d, at: Date.now() }));
    for (const old of drafts().slice(most)) {
      localStorage.removeItem(prefix() + old.tab);
    }
  } catch {
    // the browser keeps nothing, or is full: the text stays in the page
  }
}

// drafts lists the drafts of all tabs, newest first.
export function drafts(): (Draft & { tab: string })[] {
  const found = Object.keys(localStorage)
    .filter(k => k.startsWith(prefix()))
    .map(k => ({ tab: k.slice(prefix().length), ...readDraft(k) }));
  return found.filter((d): d is Draft & { tab: string } => d.text !== undefined).sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

// otherDraft is the newest text of other tabs that has something, to offer it in an empty one.
export const otherDraft = (): Draft | undefined => drafts().find(d => d.tab !== tabName() && d.text.trim() !== '');
