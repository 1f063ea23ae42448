import type { ComponentChildren, Ref } from 'preact';
import type { Widget } from '../../api/dashboards';
import style from './board.module.css';
import { ordered } from './layout';

// Board lays widgets out on the grid, in their order on narrow screens one below the other.
export const Board = ({
  widgets,
  grid,
  outdated,
  children,
}: {
  widgets: readonly Widget[];
  grid?: Ref<HTMLDivElement>;
  outdated?: boolean; // what is shown is about to be replaced
  children: (w: Widget) => ComponentChildren;
}) => {
  const reading = ordered(widgets);
  return (
    <div class={style.frame}>
      <div class={`${style.board} ${outdated ? style.outdated : ''}`} ref={grid} aria-busy={outdated}>
        {widgets.map(w => (
          <div key={w.id} class={`${style.cell} ${style[w.kind]}`} style={placeOf(w, reading.indexOf(w))}>
            {children(w)}
          </div>
        ))}
      </div>
    </div>
  );
};

// placeOf returns the place of a widget as properties that the style sheet uses.
const placeOf = (w: Widget, nth: number) => ({ '--x': w.x + 1, '--y': w.y + 1, '--w': w.w, '--h': w.h, '--nth': nth });
