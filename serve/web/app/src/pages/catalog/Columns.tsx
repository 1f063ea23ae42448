import { Search as SearchIcon } from 'lucide';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { components } from '../../api/schema';
import { Badge, Copy, Empty, Icon, Search } from '../../ui';
import { plural } from '../../ui/formats';
import style from './catalog.module.css';
import type { TableInfo } from './table';

type Column = components['schemas']['TableColumn'];

// shownAtOnce are enough for a screen; main_summary has many hundred columns.
const shownAtOnce = 150;

// longestType is enough of a struct that has hundreds of metrics: they are in the dictionary.
const longestType = 2000;

// ColumnList has all columns, with where each comes from and where it goes.
export function ColumnList({ t, chosen }: { t: TableInfo; chosen?: string }) {
  const [text, setText] = useState(chosen ?? '');
  const [all, setAll] = useState(false);
  const columns = t.schema ?? [];
  const found = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return columns.filter(c => words.every(w => `${c.name} ${c.doc} ${c.source} ${c.type}`.toLowerCase().includes(w)));
  }, [columns, text]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) {
      box.current?.scrollIntoView({ block: 'start' });
    }
  }, [chosen]);
  const shown = all ? found : found.slice(0, shownAtOnce);
  return (
    <div class={`stack ${style.columnTab}`} ref={box}>
      <div class="row">
        <Search label="Find columns" value={text} onValue={setText}>
          <Icon of={SearchIcon} />
        </Search>
        <span class="muted small" aria-live="polite">
          {text ? `${plural(found.length, 'column')} of ${columns.length}` : plural(columns.length, 'column')}
        </span>
      </div>
      {found.length === 0 && <Empty title="No column has these words" />}
      <ul class={style.columns}>
        {shown.map(c => (
          <OneColumn key={c.name} c={c} open={c.name === chosen} />
        ))}
      </ul>
      {found.length > shown.length && (
        <button type="button" class="button" onClick={() => setAll(true)}>
          Show the other {found.length - shown.length}
        </button>
      )}
    </div>
  );
}

function OneColumn({ c, open }: { c: Column; open: boolean }) {
  const long = c.type.length > 32;
  return (
    <li>
      <details open={open}>
        <summary>
          <code class={style.columnName}>{c.name}</code>
          <code class={style.columnType}>{long ? `${c.type.slice(0, c.type.search(/[<(]/))}<…>` : c.type}</code>
          <span class={style.columnDoc}>{c.doc}</span>
          {c.partition && <Badge tone="accent">partition key</Badge>}
          {c.probe && <Badge>probe</Badge>}
        </summary>
        <dl class={`facts ${style.columnMore}`}>
          <dt>Type</dt>
          <dd>
            <code>{c.type.length > longestType ? `${c.type.slice(0, longestType)}…` : c.type}</code>
            {c.nullable ? '' : ', never null'}
          </dd>
          <dt>{c.from?.length ? 'Made from' : 'Source'}</dt>
          <dd>{c.from?.length ? <Refs of={c.from} /> : <code>{c.source}</code>}</dd>
          {(c.rule || c.arg) && (
            <>
              <dt>Rule</dt>
              <dd>
                {c.rule || 'by its type'}
                {c.arg && (
                  <>
                    {' '}
                    <code>{c.arg}</code>
                  </>
                )}
              </dd>
            </>
          )}
          {c.into && c.into.length > 0 && (
            <>
              <dt>Feeds</dt>
              <dd>
                <Refs of={c.into} />
              </dd>
            </>
          )}
          <dt>Name</dt>
          <dd>
            <Copy text={c.name}>Copy the name</Copy>
          </dd>
        </dl>
      </details>
    </li>
  );
}

const Refs = ({ of }: { of: components['schemas']['ColumnRef'][] }) => (
  <ul class={style.plain}>
    {of.map(r => (
      <li key={`${r.table}.${r.column}`}>
        <a href={`/catalog/${r.table}?column=${encodeURIComponent(r.column)}`}>
          <code>
            {r.table}.{r.column}
          </code>
        </a>
      </li>
    ))}
  </ul>
);
