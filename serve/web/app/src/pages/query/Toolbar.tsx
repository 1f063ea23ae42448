import { AlignLeft, FileDown, FilePlus2, History as HistoryIcon, PanelLeft, Play, Save, Square } from 'lucide';
import { type Dialect, formats } from '../../api/queries';
import { Badge, Button, IconButton, Menu } from '../../ui';
import partStyle from './parts.module.css';
import style from './query.module.css';
import type { Store } from './store';

const dialects: { value: Dialect; label: string; what: string }[] = [
  { value: 'presto', label: 'Presto', what: 'SQL of Presto and Trino' },
  { value: 'duckdb', label: 'DuckDB', what: 'SQL of DuckDB' },
];

// Toolbar has what can be done with the text.
export function Toolbar({
  store,
  schema,
  on,
}: {
  store: Store;
  schema: boolean;
  on: { schema: () => void; format: () => void; save: () => void; history: () => void; fresh: () => void };
}) {
  const saved = store.doc.saved.value;
  const busy = store.runner.running.value;
  return (
    <div class={style.queryBar}>
      <IconButton
        label={schema ? 'Hide the tables' : 'Show the tables'}
        icon={PanelLeft}
        aria-pressed={schema}
        onClick={on.schema}
      />
      {busy ? (
        <Button icon={Square} onClick={store.runner.stop}>
          Cancel
        </Button>
      ) : (
        <div class="button-group">
          <Button
            kind="primary"
            icon={Play}
            onClick={() => void store.start()}
            title="Ctrl-Enter runs the selection, or the statement at the cursor"
          >
            Run
          </Button>
          <Menu
            items={formats.map(f => ({ label: f.name, hint: f.what, onSelect: () => void store.start(f.format) }))}
            button={p => <IconButton label="Run to a file" icon={FileDown} {...p} />}
          />
        </div>
      )}
      <Button icon={AlignLeft} kind="quiet" onClick={on.format} title="Shift-Alt-F">
        <span class={partStyle.barText}>Format</span>
      </Button>
      <h1 class={`${style.queryTitle} cut`}>
        {saved && <a href={`/saved/${saved.id}`}>{saved.title}</a>}
        {saved && store.doc.changed.value && <Badge tone="warn">changed</Badge>}
        {!saved && <span class="sr-only">Query</span>}
      </h1>
      <select
        class={`input input-small ${style.dialect}`}
        aria-label="Dialect"
        value={store.doc.dialect.value}
        onChange={e => {
          store.doc.dialect.value = e.currentTarget.value as Dialect;
        }}
      >
        {dialects.map(d => (
          <option key={d.value} value={d.value} title={d.what} selected={d.value === store.doc.dialect.value}>
            {d.label}
          </option>
        ))}
      </select>
      <Button kind="quiet" icon={Save} onClick={on.save} title="Ctrl-S" disabled={store.doc.text.value.trim() === ''}>
        <span class={partStyle.barText}>Save</span>
      </Button>
      <Button kind="quiet" icon={HistoryIcon} onClick={on.history}>
        <span class={partStyle.barText}>History</span>
      </Button>
      <IconButton label="New query" icon={FilePlus2} onClick={on.fresh} />
    </div>
  );
}
