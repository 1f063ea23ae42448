// Keys are written as "Mod+Shift+Enter" (Mod is Ctrl, on a Mac Cmd), "?", or one after the other as in "g c".

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  timeStamp: number; // ms
}

export type Matcher = (e: Press) => boolean;

const within = 1200; // ms from one key to the next

// matcher says of each press whether it completes the keys.
export function matcher(keys: string): Matcher {
  const steps = keys.split(' ').map(step);
  let done = 0;
  let last = 0;
  return e => {
    if (/^(Shift|Control|Alt|Meta)$/.test(e.key)) {
      return false;
    }
    if (e.timeStamp - last > within) {
      done = 0;
    }
    last = e.timeStamp;
    done = steps[done]!(e) ? done + 1 : steps[0]!(e) ? 1 : 0;
    if (done < steps.length) {
      return false;
    }
    done = 0;
    return true;
  };
}

function step(text: string): Matcher {
  const parts = text.split('+');
  const key = parts.pop()!.toLowerCase();
  const has = (m: string) => parts.includes(m);
  return e =>
    e.key.toLowerCase() === key &&
    (mac ? e.metaKey : e.ctrlKey) === has('Mod') &&
    (mac ? e.ctrlKey : e.metaKey) === false &&
    e.altKey === has('Alt') &&
    // a character such as ? says itself which keys make it
    (e.shiftKey === has('Shift') || (!has('Shift') && key.length === 1 && !/[a-z0-9]/.test(key)));
}

// written are keys as people know them, one for each press.
export const written = (keys: string): string[] =>
  keys.split(' ').map(k => k.replace('Mod', mac ? '⌘' : 'Ctrl').replaceAll('+', mac ? ' ' : ' + '));
