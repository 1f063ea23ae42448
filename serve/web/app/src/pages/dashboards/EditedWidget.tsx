import { Pencil, Trash2 } from 'lucide';
import type { Item, Widget } from '../../api/dashboards';
import { useLoad } from '../../api/hooks';
import { history } from '../../api/queries';
import { IconButton } from '../../ui';
import { Arrange, type Arranging } from './Arrange';
import boardStyle from './board.module.css';
import { Content } from './Content';
import style from './editing.module.css';
import { Frame } from './Frame';
import { type Queries, type Seen, titleOf } from './useBoard';

// EditedWidget is a widget that can be moved, changed and removed. It shows the results of the stored dashboard; a widget that is not
// stored like this shows the newest result of its query.
export function EditedWidget({
  widget: w,
  stored,
  seen,
  queries,
  by,
  onEdit,
  onRemove,
}: {
  widget: Widget;
  stored: Widget | undefined;
  seen: Seen;
  queries: Queries;
  by: Arranging;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const title = titleOf(w, queries);
  const same = stored?.query === w.query && JSON.stringify(stored?.parameters) === JSON.stringify(w.parameters);
  const live = same ? seen.live.widgets.get(w.id) : undefined;
  const last = useLast(same || w.kind === 'text' ? undefined : w.query);
  const item = live ?? last;
  const saved = w.query ? queries.get(w.query) : undefined;
  return (
    <Arrange widget={w} title={title} by={by} onRemove={onRemove}>
      {handle => (
        <Frame
          widget={w}
          title={title}
          handle={handle}
          actions={
            <div class={style.buttons} data-still>
              {!w.refused && <IconButton small label={`Change ${title}`} icon={Pencil} onClick={onEdit} />}
              <IconButton small label={`Remove ${title}`} icon={Trash2} onClick={onRemove} />
            </div>
          }
        >
          {item === null ? (
            <div class={boardStyle.quiet}>
              <p>It runs when the dashboard is saved.</p>
            </div>
          ) : (
            <Content widget={w} item={item} saved={saved} />
          )}
        </Frame>
      )}
    </Arrange>
  );
}

// useLast returns the newest result of a saved query that is kept; null if there is none.
function useLast(saved: string | undefined): Item | null | undefined {
  const found = useLoad(
    async signal => {
      if (!saved) {
        return undefined;
      }
      const [q] = (await history({ saved, state: 'done', limit: 1 }, signal)).items;
      const kept = q?.expires && Date.parse(q.expires) > Date.now();
      const item: Item | null = kept
        ? { state: 'done', query: q.id, result: q.id, finished: q.ended, columns: q.columns, rows: q.rows }
        : null;
      return item;
    },
    [saved],
  );
  return found.error ? null : found.data;
}
