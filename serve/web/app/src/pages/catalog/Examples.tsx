import { FlaskConical, Pencil, Play } from 'lucide';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Empty, LinkButton, Panel, Skeleton } from '../../ui';
import { openQuery } from '../query/open';
import style from './catalog.module.css';
import { firstQuery, type TableInfo } from './table';

// Examples are queries of the table that run when they are pressed: those that the program brings, and what people have saved.
export function Examples({ t }: { t: TableInfo }) {
  const saved = useLoad(signal => get('/saved', { query: { text: t.name, limit: 100 }, signal }), [t.name]);
  const named = (saved.data?.items ?? []).filter(s => new RegExp(`\\b${t.name}\\b`, 'i').test(s.sql));
  const builtin = named.filter(s => s.builtin);
  const own = named.filter(s => !s.builtin);
  if (saved.loading && !saved.data) {
    return <Skeleton />;
  }
  const more = (t.examples ?? []).filter(e => !builtin.some(s => s.title === e.title));
  return (
    <div class="stack">
      {t.reads && (
        <div class={style.examples}>
          <Example title="The newest complete day" sql={firstQuery(t)} />
          {builtin.map(s => (
            <Example key={s.id} title={s.title} text={s.description} sql={s.sql} saved={s.id} />
          ))}
          {more.map(e => (
            <Example key={e.name} title={e.title} sql={e.sql} />
          ))}
        </div>
      )}
      {own.length > 0 && (
        <Panel title="Saved by people here" flush>
          <ul class={style.found}>
            {own.map(s => (
              <li key={s.id}>
                <a href={`/saved/${s.id}`}>{s.title}</a> <span class="small muted">{s.description}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {!t.reads && own.length === 0 && <Empty icon={FlaskConical} title="No queries that you may run" />}
    </div>
  );
}

function Example({ title, text, sql, saved }: { title: string; text?: string; sql: string; saved?: string }) {
  return (
    <section class={`panel ${style.example}`}>
      <div class="panel-head">
        <h2>{title}</h2>
        {saved ? (
          <LinkButton small icon={Play} kind="primary" href={`/saved/${saved}`}>
            Run
          </LinkButton>
        ) : (
          <span class="row">
            <span onClickCapture={() => openQuery({ sql })}>
              <LinkButton small icon={Pencil} href="/query">
                Edit
              </LinkButton>
            </span>
            <span onClickCapture={() => openQuery({ sql, run: true })}>
              <LinkButton small icon={Play} kind="primary" href="/query">
                Run
              </LinkButton>
            </span>
          </span>
        )}
      </div>
      {text && <p class={`${style.exampleText} small`}>{text}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre class={style.exampleSql} tabIndex={0} role="region" aria-label={`SQL of ${title}`}>
        {sql}
      </pre>
    </section>
  );
}
