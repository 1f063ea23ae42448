import { ChartColumn, CircleAlert, EyeOff, Table2 } from 'lucide';
import { useMemo } from 'preact/hooks';
import type { Item, Widget, WidgetKind } from '../../api/dashboards';
import { type Problem, problemText } from '../../api/errors';
import type { Saved } from '../../api/saved';
import type { Chart } from '../../chart/chart';
import { choose, fits } from '../../chart/choose';
import type { Pick } from '../../chart/pick';
import type { Column, Row } from '../../result/format';
import { Grid } from '../../result/Grid';
import { family } from '../../sql/types';
import { Button, Empty, ErrorBox, Icon, Spinner } from '../../ui';
import { plural } from '../../ui/formats';
import { late } from '../../ui/late';
import style from './board.module.css';
import { Markdown } from './Markdown';
import { stateOf } from './state';
import { useRows } from './useResults';

const ChartView = late(() => import('../../chart/ChartView'));

// Picks says which columns of charts can be clicked, and takes what a click chose.
export interface Picks {
  names: readonly string[];
  take: (p: Pick) => void;
}

// Content is what a widget shows, in each of its states.
export function Content({
  widget,
  item,
  saved,
  as = widget.kind,
  retry,
  picks,
}: {
  widget: Widget;
  item?: Item;
  saved?: Saved | null; // its query; undefined until it is loaded
  as?: WidgetKind; // shown for the moment
  retry?: () => void;
  picks?: Picks;
}) {
  switch (stateOf(widget, item)) {
    case 'text':
      return (
        <div class={style.pad}>
          <Markdown text={widget.text ?? ''} />
        </div>
      );
    case 'refused':
      return (
        <div class={style.quiet}>
          <Icon of={EyeOff} size={20} />
          <p>Not for you, or its query was removed.</p>
        </div>
      );
    case 'failed':
      return <Failed problem={item?.error} retry={retry} />;
    case 'empty':
      return (
        <div class={style.quiet}>
          <Icon of={Table2} size={20} />
          <p>No rows.</p>
        </div>
      );
    case 'loading':
      return <Waiting item={item} />;
    default:
      return (
        <>
          {item?.state === 'failed' && <Failed problem={item.error} retry={retry} small />}
          <Result widget={widget} item={item!} saved={saved} as={as} picks={picks} />
          {item?.notes?.map(n => (
            <p key={n} class="chart-notes">
              {n}
            </p>
          ))}
        </>
      );
  }
}

function Failed({ problem, retry, small }: { problem?: Partial<Problem>; retry?: () => void; small?: boolean }) {
  const text = problem?.message ?? problemText({ status: 0, detail: 'The query failed.', ...problem });
  const again = retry && (
    <Button small onClick={retry}>
      Try again
    </Button>
  );
  if (small) {
    return (
      <div class={style.failedBar} role="alert">
        <Icon of={CircleAlert} size={14} />
        <span>The newest run failed: {text}</span>
        {again}
      </div>
    );
  }
  return (
    <div class={style.failed} role="alert">
      <Icon of={CircleAlert} size={20} />
      <strong>The query failed</strong>
      <p class={style.problem}>{text}</p>
      {problem?.hint && <p class="muted">{problem.hint}</p>}
      {again}
    </div>
  );
}

function Waiting({ item }: { item?: Item }) {
  const percent = item?.progress?.percent ?? 0;
  const text =
    item?.state === 'waiting' || item?.position
      ? item.position
        ? `${plural(item.position, 'query', 'queries')} before this one`
        : 'Waiting for a free place'
      : item
        ? percent > 0
          ? `${Math.floor(percent)} %`
          : 'Running'
        : 'Loading';
  return (
    <div class={style.quiet}>
      <Spinner label="The query runs" />
      <p>{text}</p>
    </div>
  );
}

// chartsOf lists the charts of a query.
export const chartsOf = (s: Saved | null | undefined): Chart[] => (s?.chart ? [s.chart, ...(s.charts ?? [])] : []);

// chartFor returns the chart of a widget: the one of its query, else one that suits the rows.
function chartFor(nth: number, as: WidgetKind, saved: Saved | null | undefined, columns: Column[], rows: Row[]): Chart {
  const own = chartsOf(saved)[nth];
  if (as === 'number') {
    const numbers = columns.filter(c => family(c.type) === 'number').map(c => c.name);
    const y = own?.kind === 'number' && fits(own, columns) ? own.y : numbers.slice(0, rows.length === 1 ? 4 : 1);
    return { kind: 'number', y };
  }
  const { title: _, ...chart } = own && own.kind !== 'table' && fits(own, columns) ? own : choose(columns, rows);
  return chart; // the widget has the title
}

function Result({
  widget,
  item,
  saved,
  as,
  picks,
}: {
  widget: Widget;
  item: Item;
  saved?: Saved | null;
  as: WidgetKind;
  picks?: Picks;
}) {
  const { read, error, turn } = useRows(item, as === 'table' ? 500 : undefined);
  const chart = useMemo(
    () => (read && as !== 'table' ? chartFor(widget.chart ?? 0, as, saved, read.columns, read.rows) : undefined),
    [read, as, saved, widget.chart],
  );
  if (error && !read) {
    return (
      <div class={style.pad}>
        <ErrorBox error={error} />
      </div>
    );
  }
  if (!read || (widget.kind === 'chart' && saved === undefined)) {
    return <Waiting />;
  }
  if (as === 'table') {
    return <Grid key={read.id} columns={read.columns} pages={read.pages} turn={turn} groups label={widget.title || 'Rows'} />;
  }
  if (!chart || chart.kind === 'table' || (chart.kind === 'number' && !chart.y?.length)) {
    return (
      <Empty icon={ChartColumn} title={as === 'number' ? 'The result has no number' : 'No chart suggests itself'}>
        Show it as a table, or give its query a chart.
      </Empty>
    );
  }
  return (
    <>
      <ChartView
        chart={chart}
        columns={read.columns}
        rows={read.rows}
        onPick={[chart.x, chart.series].some(n => n && picks?.names.includes(n)) ? picks?.take : undefined}
      />
      {read.total > read.rows.length && (
        <p class="chart-notes">
          Drawn from the first {plural(read.rows.length, 'row')} of {plural(read.total, 'row')}.
        </p>
      )}
    </>
  );
}
