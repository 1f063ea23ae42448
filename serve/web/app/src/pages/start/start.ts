import type { components } from '../../api/schema';

export type Start = components['schemas']['StartOutputBody'];
export type StartPing = components['schemas']['StartPing'];

// followed is the ping whose row is shown: the newest with a visible row, or else the one whose row comes first.
export function followed(items: StartPing[]): StartPing | undefined {
  for (const row of ['visible', 'soon', 'later', 'none'] as const) {
    const found = items.find(i => i.row === row);
    if (found) {
      return found;
    }
  }
  return undefined;
}
