import { useEffect, useRef } from 'preact/hooks';
import { SqlEditor } from '../../sql/editor/setup';
import type { Store } from './store';

// Editor is where the text is written. It begins with the text of the store.
export default function Editor({ store }: { store: Store }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = new SqlEditor(
      host.current as HTMLDivElement,
      store.text.value,
      {
        changed: text => {
          store.text.value = text;
          store.consider();
        },
        moved: () => store.consider(400),
        run: () => void store.start(),
        format: () => void store.format(),
        cancel: store.stop,
      },
      'SQL',
      store.readOnly.value,
    );
    store.editor = editor;
    editor.focus();
    const run = store.run.value;
    if (run?.problem) {
      editor.faults(store.fault(run.problem, run.from));
    }
    store.consider(100);
    if (store.wish.value) {
      store.wish.value = false;
      void store.startAll();
    }
    return () => {
      store.editor = undefined;
      editor.destroy();
    };
  }, [store]);
  const [dialect, words, readOnly] = [store.dialect.value, store.words.value, store.readOnly.value];
  useEffect(() => {
    store.editor?.words(dialect, words);
    store.consider(100);
  }, [store, dialect, words]);
  useEffect(() => store.editor?.lock(readOnly), [store, readOnly]);
  return <div class="editor" ref={host} />;
}
