import { Search as SearchIcon } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Button, ErrorBox, Icon, Loaded, Search, Tabs } from '../../ui';
import style from './found.module.css';
import type { FoundState } from './useFound';

// Found is a list of what people saved, with the choice of what is in it.
export function Found<T>({
  state: s,
  label,
  tabs,
  hint,
  choice,
  nothing,
  shown = s.all,
  children,
}: {
  state: FoundState<T>;
  label: string;
  tabs: { id: string; label: string }[];
  hint: string; // where words are found
  choice?: ComponentChildren; // beside the tags
  nothing: ComponentChildren;
  shown?: T[]; // those of the found ones that are listed
  children: (item: T) => ComponentChildren;
}) {
  return (
    <>
      <Tabs label={label} tabs={tabs} value={s.of} onValue={s.setOf} />
      <div class="row">
        <Search label={hint} value={s.text} onValue={s.setText}>
          <Icon of={SearchIcon} />
        </Search>
        <div class="row" role="group" aria-label="Tags">
          {s.known.data?.slice(0, 16).map(t => (
            <Button
              key={t.name}
              small
              kind="quiet"
              aria-pressed={s.tag === t.name}
              onClick={() => s.setTag(s.tag === t.name ? '' : t.name)}
            >
              {t.name} <span class="muted">{t.count}</span>
            </Button>
          ))}
        </div>
        {choice}
      </div>
      <Loaded of={s.first}>{() => shown.length === 0 && nothing}</Loaded>
      <ErrorBox error={s.next.error} />
      <ul class={style.list}>{shown.map(children)}</ul>
      {s.cursor && (
        <Button busy={s.next.busy} onClick={() => void s.next.run()}>
          More
        </Button>
      )}
    </>
  );
}

// FoundItem is a line of the list.
export function FoundItem({
  title,
  href,
  description,
  tags,
  onTag,
  before,
  children,
}: {
  title: string;
  href: string;
  description?: string;
  tags?: string[] | null;
  onTag: (tag: string) => void;
  before?: ComponentChildren;
  children: ComponentChildren; // facts about it
}) {
  return (
    <li class={style.item}>
      {before}
      <div class={style.main}>
        <a class={style.title} href={href}>
          {title}
        </a>
        {description && <p class={style.text}>{description}</p>}
        {tags && tags.length > 0 && (
          <div class="row">
            {tags.map(t => (
              <button key={t} type="button" class={style.tag} onClick={() => onTag(t)}>
                {t}
              </button>
            ))}
          </div>
        )}
      </div>
      <div class={style.facts}>{children}</div>
    </li>
  );
}
