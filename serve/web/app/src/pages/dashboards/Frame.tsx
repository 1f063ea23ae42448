import type { ComponentChildren, Ref } from 'preact';
import type { Item, Widget } from '../../api/dashboards';
import { Badge, Spinner, Time, Tooltip } from '../../ui';
import style from './board.module.css';
import { isStale } from './state';

// Frame is a widget's box: its title, the age of its result, its buttons, and its content.
export function Frame({
  widget,
  title,
  item,
  refresh,
  actions,
  handle,
  box,
  children,
}: {
  widget: Widget;
  title: string;
  item?: Item;
  refresh?: number; // of the dashboard, seconds
  actions?: ComponentChildren;
  handle?: ComponentChildren; // moves the widget, while the dashboard is edited
  box?: Ref<HTMLElement>;
  children: ComponentChildren;
}) {
  const bare = widget.kind === 'text' && !widget.title && !handle;
  return (
    <article class={`${style.widget} ${bare ? style.bare : ''}`} aria-label={title} ref={box}>
      {!bare && (
        <header class={style.head}>
          {handle}
          <h2 class="cut" title={title}>
            {title}
          </h2>
          <Age item={item} refresh={refresh} />
          {actions}
        </header>
      )}
      <div class={style.body}>{children}</div>
    </article>
  );
}

// Age shows when the result was computed, whether it is old, and whether it is being computed again.
function Age({ item, refresh }: { item?: Item; refresh?: number }) {
  if (!item?.finished || !item.result) {
    return null;
  }
  const again = item.state === 'running' || item.state === 'waiting';
  const age = <Time at={item.finished} />;
  return (
    <span class={style.age}>
      {again && <Spinner label="It runs again" />}
      {isStale(item, refresh, Date.now()) ? (
        <Tooltip text={item.state === 'failed' ? 'The newest run failed: this is the result before it' : 'This result is old'}>
          <span>
            <Badge tone="warn">{age}</Badge>
          </span>
        </Tooltip>
      ) : (
        age
      )}
    </span>
  );
}
