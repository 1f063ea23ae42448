import { Play } from 'lucide';
import { useLoad } from '../../api/hooks';
import { list, mostListed, type Saved } from '../../api/saved';
import { Button, Icon } from '../../ui';
import { written } from '../../ui/keys';
import style from './query.module.css';

const keys: [string, string][] = [
  ['Mod+Enter', 'run the statement at the cursor, or the selection'],
  ['Ctrl+Space', 'complete tables, columns, functions'],
  ['Shift+Alt+F', 'format'],
  ['Mod+S', 'save'],
  ['?', 'all keys'],
];

const shown = 8;

/** Some examples of each kind: without these the ones of applications with the Glean SDK would be behind all others. */
function mixed(examples: Saved[]): Saved[] {
  const active = examples.filter(s => s.id.endsWith('-active') && s.tags?.includes('glean')).slice(0, shown / 2);
  return [...active, ...examples.filter(s => !active.includes(s))].slice(0, shown);
}

// Welcome is there before anything has run: examples to begin with, and the keys.
export function Welcome({ onExample, other, onOther }: { onExample: (s: Saved) => void; other?: string; onOther: () => void }) {
  const examples = useLoad(async signal => ((await list({ limit: mostListed }, signal)).items ?? []).filter(s => s.builtin), []);
  return (
    <div class={style.welcome}>
      {other && (
        <p class={style.welcomeOther}>
          Another tab has unsaved text: <code class="cut">{other.trim().split('\n')[0]}</code>
          <Button small onClick={onOther}>
            Continue with it here
          </Button>
        </p>
      )}
      <section>
        <h2>Begin with an example</h2>
        <ul class={style.welcomeExamples}>
          {mixed(examples.data ?? []).map(e => (
            <li key={e.id}>
              <button type="button" class={style.welcomeExample} title={e.description} onClick={() => onExample(e)}>
                <Icon of={Play} size={14} />
                <span>{e.title}</span>
              </button>
            </li>
          ))}
        </ul>
        <a href="/saved?of=examples">All examples</a>
      </section>
      <section>
        <h2>Keys</h2>
        <dl class="keys">
          {keys.map(([k, what]) => [
            <dt key={`${k} t`}>{what}</dt>,
            <dd key={k}>
              {written(k).map(w => (
                <kbd key={w}>{w}</kbd>
              ))}
            </dd>,
          ])}
        </dl>
        <p class="muted small">
          {'{{day}} in the text becomes an input. Tables and columns are beside the editor: a press writes their name.'}
        </p>
      </section>
    </div>
  );
}
