import type { IconNode } from 'lucide';
import { ChartColumn, Copy as CopyIcon, Download, Image, Link, Plus, Table2, Trash2 } from 'lucide';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { errorText } from '../../api/errors';
import { formats, type Query, resultUrl } from '../../api/queries';
import { ChartForm } from '../../chart/ChartForm';
import { type Chart, kindOf } from '../../chart/chart';
import { choose, fits } from '../../chart/choose';
import type { Pick } from '../../chart/pick';
import { suggest } from '../../chart/suggest';
import { csv } from '../../result/clipboard';
import type { Row } from '../../result/format';
import { Grid } from '../../result/Grid';
import type { Pages } from '../../result/pages';
import type { Parameter, Values } from '../../sql/parameters';
import { Button, copyText, Empty, ErrorBox, IconButton, Menu, Skeleton, toast } from '../../ui';
import { plural } from '../../ui/formats';
import { late } from '../../ui/late';
import { useKept } from './kept';
import { Picked } from './Picked';
import partStyle from './parts.module.css';

const ChartView = late(() => import('../../chart/ChartView'));

const mostDrawn = 20_000; // rows
const mostNamed = 8; // columns of a result without rows
const looked = 500; // rows, to choose a chart

// Results shows the result of a query as a table or a chart. chart is undefined for the one that suits the result.
export function Results({
  query,
  pages,
  turn,
  chart,
  onChart,
  onDrawn,
  charts = [],
  onCharts,
  parameters,
  onValues,
  view: wanted,
  onView,
}: {
  query: Query;
  pages: Pages;
  turn: number;
  chart: Chart | undefined;
  onChart?: (c: Chart) => void; // missing: the chart cannot be changed here
  onDrawn?: (c: Chart | undefined) => void; // what is drawn: chart, or what was chosen in its place
  charts?: Chart[]; // further ones
  onCharts?: (c: Chart[]) => void;
  parameters?: readonly Parameter[];
  onValues?: (values: Values) => void; // runs the query with them
  view: 'table' | 'chart';
  onView: (v: 'table' | 'chart') => void;
}) {
  const whole = query.state === 'done'; // else these are the first rows, while it runs
  const view = whole ? wanted : 'table';
  const columns = useMemo(() => query.columns ?? [], [query.columns]);
  const [groups, setGroups] = useKept('group digits', true);
  const [picture, setPicture] = useState<(() => Promise<Blob>) | undefined>();
  const auto = useChosen(columns, pages, turn);
  const usable = chart && chart.kind !== 'table' && fits(chart, columns) ? chart : auto;
  const [number, setNumber] = useState(0); // of the chart that is shown; 0 is the query's own one
  const [pick, setPick] = useState<Pick>();
  const further = charts[number - 1];
  const shown = further && fits(further, columns) ? further : usable;
  const change = (c: Chart) => (further ? onCharts?.(charts.map((old, i) => (i === number - 1 ? c : old))) : onChart?.(c));
  const add = () => {
    onCharts?.([...charts, { ...(shown ?? { kind: 'bar' }), title: undefined }]);
    setNumber(charts.length + 1);
  };
  const remove = () => {
    onCharts?.(charts.filter((_, i) => i !== number - 1));
    setNumber(0);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks to be told stays
  useEffect(() => onDrawn?.(wanted === 'chart' ? usable : undefined), [usable, wanted]);
  const copyAll = async () => {
    try {
      const rows = await pages.load(0, Math.min(pages.total, mostDrawn));
      await copyText(csv([columns.map(c => c.name), ...rows]));
      toast(`Copied ${plural(rows.length, 'row')} as CSV`);
    } catch (e) {
      toast(`They could not be copied: ${errorText(e)}`, { bad: true });
    }
  };
  const link = () => copyText(`${location.origin}/query/${query.id}`).then(() => toast('Copied the link to this result'));
  const save = async () => {
    const blob = await picture?.();
    if (blob) {
      const a = document.createElement('a');
      a.href = URL.createObjectURL(blob);
      a.download = `${shown?.title || 'chart'}.png`;
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
    }
  };
  const tab = (v: typeof view, icon: IconNode, text: string, n = 0) => (
    <Button
      small
      icon={icon}
      aria-pressed={view === v && (v === 'table' || n === (further ? number : 0))}
      onClick={() => {
        setNumber(n);
        onView(v);
      }}
    >
      {text}
    </Button>
  );
  return (
    <section class={partStyle.results} aria-label="Result">
      <div class={partStyle.resultsBar} hidden={!whole}>
        <div class="button-group" role="group" aria-label="Show as">
          {tab('table', Table2, 'Table')}
          {tab('chart', ChartColumn, 'Chart')}
          {charts.map((c, i) => tab('chart', ChartColumn, c.title || `${kindOf(c)?.name ?? 'Chart'} ${i + 2}`, i + 1))}
        </div>
        {view === 'chart' && onCharts && charts.length < 12 && <IconButton small label="Add a chart" icon={Plus} onClick={add} />}
        {view === 'chart' && onCharts && further && <IconButton small label="Remove this chart" icon={Trash2} onClick={remove} />}
        <span class="grow" />
        {view === 'table' && (
          <Button small kind="quiet" aria-pressed={groups} onClick={() => setGroups(!groups)} title="Group the digits of numbers">
            1,234
          </Button>
        )}
        {view === 'table' && (
          <Button small kind="quiet" icon={CopyIcon} onClick={copyAll}>
            <span class={partStyle.barText}>Copy</span>
          </Button>
        )}
        {view === 'chart' && picture && (
          <Button small kind="quiet" icon={Image} onClick={save}>
            <span class={partStyle.barText}>PNG</span>
          </Button>
        )}
        <Button small kind="quiet" icon={Link} onClick={link}>
          <span class={partStyle.barText}>Link</span>
        </Button>
        <Menu
          end
          button={p => (
            <Button small kind="quiet" icon={Download} {...p}>
              <span class={partStyle.barText}>Download</span>
            </Button>
          )}
          items={formats.map(f => ({ label: f.name, hint: f.what, href: resultUrl(query.id, f.format), download: true }))}
        />
      </div>
      {columns.length === 0 || pages.total === 0 ? (
        <Empty icon={Table2} title="No rows">
          {columns.length > 0
            ? `The result has ${columns.length > mostNamed ? plural(columns.length, 'column') : `the columns ${columns.map(c => c.name).join(', ')}`}, and nothing in them.`
            : 'The query gave nothing.'}
        </Empty>
      ) : view === 'table' ? (
        <Grid key={query.id} columns={columns} pages={pages} turn={turn} groups={groups} label="Rows of the result" />
      ) : (
        <Charted
          key={number}
          pages={pages}
          columns={columns}
          chart={shown}
          onChart={onChart && change}
          onPicture={p => setPicture(() => p)}
          onPick={setPick}
        />
      )}
      {pick && (
        <Picked
          query={query}
          pick={pick}
          drill={shown?.drill}
          parameters={parameters}
          onValues={onValues}
          onClose={() => setPick(undefined)}
        />
      )}
    </section>
  );
}

// useChosen is the chart that suits the first rows.
function useChosen(columns: Query['columns'], pages: Pages, turn: number): Chart | undefined {
  const [chosen, setChosen] = useState<{ pages: Pages; chart: Chart }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: turn says that rows came
  useEffect(() => {
    const rows = Array.from({ length: Math.min(looked, pages.total) }, (_, i) => pages.row(i));
    if (chosen?.pages !== pages && pages.whole && rows.every(r => r !== undefined)) {
      setChosen({ pages, chart: choose(columns ?? [], rows as Row[]) });
    }
  }, [columns, pages, turn, chosen]);
  return chosen?.pages === pages ? chosen.chart : undefined;
}

function Charted({
  pages,
  columns,
  chart,
  onChart,
  onPicture,
  onPick,
}: {
  pages: Pages;
  columns: NonNullable<Query['columns']>;
  chart: Chart | undefined;
  onChart?: (c: Chart) => void;
  onPicture: (p: (() => Promise<Blob>) | undefined) => void;
  onPick: (p: Pick) => void;
}) {
  const [rows, setRows] = useState<Row[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let current = true;
    pages.load(0, Math.min(pages.total, mostDrawn)).then(
      r => current && setRows(r),
      e => current && setError(e),
    );
    return () => {
      current = false;
    };
  }, [pages]);
  const suggested = useMemo(
    () => suggest(columns, rows?.slice(0, looked) ?? []).filter(s => s.kind !== chart?.kind),
    [columns, rows, chart?.kind],
  );
  if (error) {
    return <ErrorBox error={error} />;
  }
  if (!rows || !chart) {
    return <Skeleton />;
  }
  const none = chart.kind === 'table';
  return (
    <div class={partStyle.charted}>
      {none ? (
        <Empty icon={ChartColumn} title="No chart suggests itself">
          The result has no numbers that could be drawn, or too many values for bars. Choose columns to try.
        </Empty>
      ) : (
        <div class={partStyle.chartedView}>
          <ChartView chart={chart} columns={columns} rows={rows} onPicture={onPicture} onPick={onPick} />
          {pages.total > rows.length && (
            <p class="chart-notes">
              Drawn from the first {plural(rows.length, 'row')} of {plural(pages.total, 'row')}.
            </p>
          )}
        </div>
      )}
      {onChart && suggested.length > 0 && (
        <div class={partStyle.suggested}>
          <span class="muted">Suggested:</span>
          {suggested.map(s => (
            <Button key={s.kind} small onClick={() => onChart(s)}>
              {kindOf(s)?.name}
            </Button>
          ))}
        </div>
      )}
      {onChart && <ChartForm chart={none ? { kind: 'bar' } : chart} columns={columns} onChart={onChart} />}
    </div>
  );
}
