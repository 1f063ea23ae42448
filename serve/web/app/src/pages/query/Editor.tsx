import { useEffect, useRef } from 'preact/hooks';
import { SqlEditor } from '../../sql/editor/setup';
import style from './query.module.css';
import type { Store } from './store';

// Editor is where the text is written. It begins with the text of the store.
export default function Editor({ store }: { store: Store }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = new SqlEditor(
      host.current as HTMLDivElement,
      store.doc.text.value,
      {
        changed: text => {
          store.doc.text.value = text;
          store.planner.consider();
        },
        moved: () => store.planner.consider(400),
        run: () => void store.start(),
        format: () => void store.doc.format(),
        cancel: store.runner.stop,
      },
      'SQL',
      store.doc.readOnly.value,
    );
    store.doc.editor = editor;
    if (!document.activeElement?.closest('#main *')) {
      editor.focus(); // it loads late: somebody may be at work elsewhere on the page
    }
    const run = store.runner.run.value;
    if (run?.problem) {
      editor.faults(store.doc.fault(run.problem, run.from));
    }
    store.planner.consider(100);
    if (store.runWhenReady.value) {
      store.runWhenReady.value = false;
      void store.startAll();
    }
    return () => {
      store.doc.editor = undefined;
      editor.destroy();
    };
  }, [store]);
  const [dialect, words, readOnly] = [store.doc.dialect.value, store.dictionary.value, store.doc.readOnly.value];
  useEffect(() => {
    store.doc.editor?.words(dialect, words);
    store.planner.consider(100);
  }, [store, dialect, words]);
  useEffect(() => store.doc.editor?.lock(readOnly), [store, readOnly]);
  return <div class={style.editor} ref={host} />;
}
