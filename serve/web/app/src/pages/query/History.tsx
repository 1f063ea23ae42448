import { History as HistoryIcon, Search as SearchIcon } from 'lucide';
import { useState } from 'preact/hooks';
import { useLoad } from '../../api/hooks';
import { history, type Query, type State } from '../../api/queries';
import { Badge, Button, Dialog, Empty, Icon, Loaded, Search, Select, Time, type Tone } from '../../ui';
import { duration, plural } from '../../ui/formats';
import style from './query.module.css';

const tones: Partial<Record<State, Tone>> = {
  done: 'good',
  failed: 'bad',
  cancelled: 'warn',
  running: 'accent',
  queued: 'accent',
};
const states = ['', 'done', 'failed', 'cancelled', 'running', 'queued'] as const;

// History lists one's queries, and opens them again.
export function History({ onOpen, onClose }: { onOpen: (q: Query) => void; onClose: () => void }) {
  const [text, setText] = useState('');
  const [state, setState] = useState<(typeof states)[number]>('');
  const [older, setOlder] = useState<Query[]>([]);
  const [cursor, setCursor] = useState<string>();
  const first = useLoad(
    async signal => {
      const page = await history({ text, state, limit: 30 }, signal);
      setOlder([]);
      setCursor(page.next);
      return page.items ?? [];
    },
    [text, state],
  );
  const more = async () => {
    const page = await history({ text, state, limit: 30, cursor });
    setOlder([...older, ...(page.items ?? [])]);
    setCursor(page.next);
  };
  const all = [...(first.data ?? []), ...older];
  return (
    <Dialog title="Your queries" wide onClose={onClose}>
      <div class={`stack ${style.history}`}>
        <div class="row">
          <Search label="Find in the text" value={text} onValue={setText}>
            <Icon of={SearchIcon} />
          </Search>
          <Select
            label="State"
            hideLabel
            value={state}
            onValue={setState}
            choices={states.map(s => ({ value: s, label: s || 'all states' }))}
          />
        </div>
        <Loaded of={first}>
          {() =>
            all.length === 0 && (
              <Empty icon={HistoryIcon} title="No such queries">
                {text || state
                  ? 'Try other words or states.'
                  : 'What you run is listed here, with its result until that expires.'}
              </Empty>
            )
          }
        </Loaded>
        <ul class={style.historyList}>
          {all.map(q => (
            <li key={q.id}>
              <button type="button" class={style.historyItem} onClick={() => onOpen(q)}>
                <span class="row">
                  <Badge tone={tones[q.state]}>{q.state}</Badge>
                  <Time at={q.asked} />
                  <span class="muted small">{facts(q)}</span>
                </span>
                <code class={style.historySql}>{q.sql.trim()}</code>
              </button>
            </li>
          ))}
        </ul>
        {cursor && (
          <Button small onClick={more}>
            Older queries
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function facts(q: Query): string {
  if (q.state !== 'done') {
    return q.error?.message ?? '';
  }
  const time = q.started && q.ended ? `, ${duration((Date.parse(q.ended) - Date.parse(q.started)) / 1000)}` : '';
  return plural(q.rows, 'row') + time;
}
