import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from './Dialog';
import { type Matcher, matcher, written } from './keys';

interface Shortcut {
  keys: string;
  what: string;
  group: string;
  inText: boolean;
  matches: Matcher;
  run: () => void;
}

const all = new Set<Shortcut>();
const helpOpen = signal(false);

export const showShortcuts = () => {
  helpOpen.value = true;
};

// useShortcut has keys do something while the component is there, such as useShortcut('g c', 'Catalog', go, { group: 'Go to' }) or
// 'Mod+Enter'. Keys without a modifier do nothing while somebody types, unless inText. run undefined: they are in the help only.
export function useShortcut(
  keys: string,
  what: string,
  run: (() => void) | undefined,
  o: { group?: string; inText?: boolean } = {},
): void {
  const latest = useRef(run);
  latest.current = run;
  const { group = 'This page', inText = false } = o;
  const listed = run === undefined;
  useEffect(() => {
    const s: Shortcut = {
      keys,
      what,
      group,
      inText,
      matches: listed ? () => false : matcher(keys),
      run: () => latest.current?.(),
    };
    all.add(s);
    return () => void all.delete(s);
  }, [keys, what, group, inText, listed]);
}

const typing = (t: EventTarget | null) =>
  t instanceof HTMLElement && (t.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName));

function onKeyDown(e: KeyboardEvent): void {
  if (e.defaultPrevented || e.isComposing || document.querySelector('dialog[open]')) {
    return;
  }
  const plain = !(e.ctrlKey || e.metaKey || e.altKey);
  for (const s of all) {
    const text = typing(e.target) && plain && !s.inText;
    if (!text && s.matches(e)) {
      e.preventDefault();
      s.run();
      return;
    }
  }
}

// Shortcuts listens to the keyboard, and shows all keys when asked by ?.
export function Shortcuts() {
  useShortcut('?', 'This list', showShortcuts, { group: 'Everywhere' });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  if (!helpOpen.value) {
    return null;
  }
  const groups = Map.groupBy([...all], s => s.group);
  return (
    <Dialog
      title="Keys"
      onClose={() => {
        helpOpen.value = false;
      }}
    >
      {[...groups].map(([group, shortcuts]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl class="keys">
            {shortcuts.map(s => [
              <dt key={`${s.keys} t`}>{s.what}</dt>,
              <dd key={s.keys}>
                {written(s.keys).map((k, i) => (
                  <span key={i}>
                    {i > 0 && ' '}
                    <kbd>{k}</kbd>
                  </span>
                ))}
              </dd>,
            ])}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
