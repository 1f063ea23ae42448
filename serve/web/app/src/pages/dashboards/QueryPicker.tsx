import { Search as SearchIcon } from 'lucide';
import { useId, useRef, useState } from 'preact/hooks';
import { useLoad } from '../../api/hooks';
import { list, type Saved } from '../../api/saved';
import { ErrorBox, Icon, Search } from '../../ui';
import style from './editing.module.css';

// QueryPicker finds a saved query by words.
export function QueryPicker({ chosen, onQuery }: { chosen: Saved | undefined; onQuery: (s: Saved) => void }) {
  const [text, setText] = useState('');
  const name = useId();
  const found = useLoad(async signal => (await list({ text }, signal)).items ?? [], [text]);
  const before = useRef<Saved[]>([]);
  before.current = found.data ?? before.current; // until others are found
  const items = before.current;
  const all = chosen && !items.some(s => s.id === chosen.id) ? [chosen, ...items] : items;
  return (
    <fieldset class="field">
      <legend>Saved query</legend>
      <div class="row">
        <Search label="Find a saved query" value={text} onValue={setText}>
          <Icon of={SearchIcon} />
        </Search>
      </div>
      <ErrorBox error={found.error} retry={found.reload} />
      <div class={style.queries}>
        {all.map(s => (
          <label key={s.id} class={style.query}>
            <input type="radio" name={name} checked={s.id === chosen?.id} onChange={() => onQuery(s)} />
            <span>
              {s.title}
              {s.description && <span class="field-hint"> {s.description}</span>}
            </span>
          </label>
        ))}
        {found.data && all.length === 0 && (
          <p class="muted small">{text ? 'Nothing fits.' : 'There are no saved queries yet: save one on the Query page.'}</p>
        )}
      </div>
    </fieldset>
  );
}
