import { ChevronLeft, ChevronRight, ChevronsRight, RotateCw } from 'lucide';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import type { components } from '../../api/schema';
import { Badge, Button, ErrorBox, Icon, IconButton, Loaded, Note, Panel, Time } from '../../ui';
import { addDays, bytes, day, dayDate, daysOf, number, plural, weekday } from '../../ui/formats';
import style from './jobs.module.css';
import type { Wanted } from './NewRun';
import { lookOf, partitionStates } from './states';

type Cell = components['schemas']['CalendarDay'];

const weeks = 28;

// Calendar shows the state of each table on each day; a cell says more when it is chosen.
export function Calendar({ onRun }: { onRun?: (w: Wanted) => void }) {
  const [to, setTo] = useState('');
  const [chosen, setChosen] = useState<{ table: string; day: string }>();
  const query = to ? { from: addDays(to, 1 - weeks), to } : {};
  const calendar = useLoad(signal => get('/jobs/calendar', { query, signal }), [to], 10);
  const { data, error, reload } = calendar;
  if (!data) {
    return <Loaded of={calendar} lines={8} />;
  }
  const move = (n: number) => setTo(addDays(data.to, n));
  const cells = new Map((data.items ?? []).map(c => [`${c.table} ${c.day}`, c]));
  const seen = new Set((data.items ?? []).map(c => c.state));
  const cell = chosen && cells.get(`${chosen.table} ${chosen.day}`);
  return (
    <Panel
      title={
        <span class="row">
          {day(data.from)} to {day(data.to)}
          {data.wrong > 0 ? (
            <Badge tone="warn">{plural(data.wrong, 'partition')} to mend</Badge>
          ) : (
            <Badge tone="good">all well</Badge>
          )}
        </span>
      }
      actions={
        <>
          <IconButton small label="Four weeks earlier" icon={ChevronLeft} onClick={() => move(-weeks)} />
          <IconButton small label="Four weeks later" icon={ChevronRight} onClick={() => move(weeks)} />
          <IconButton small label="The newest days" icon={ChevronsRight} onClick={() => setTo('')} />
          <IconButton small label="Look again" icon={RotateCw} onClick={reload} />
        </>
      }
      flush
      foot={<Legend states={seen} />}
    >
      <ErrorBox error={error} retry={reload} />
      {(data.trouble ?? []).map(t => (
        <Note key={t} tone="bad">
          {t}
        </Note>
      ))}
      <Grid tables={data.tables ?? []} days={daysOf(data.from, data.to)} cells={cells} chosen={chosen} onChoose={setChosen} />
      {cell && <Chosen c={cell} onRun={onRun} />}
      {(data.edges ?? []).length > 0 && (
        <p class={`${style.calendarEdges} muted small`}>
          {(data.edges ?? []).map(e => (
            <span key={e.edge}>
              Edge {e.edge} is decoded up to <Time at={e.watermark} />.{' '}
            </span>
          ))}
        </p>
      )}
    </Panel>
  );
}

function Grid({
  tables,
  days,
  cells,
  chosen,
  onChoose,
}: {
  tables: string[];
  days: string[];
  cells: Map<string, Cell>;
  chosen?: { table: string; day: string };
  onChoose: (c: { table: string; day: string }) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const newest = days.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever other days are shown
  useLayoutEffect(() => box.current?.scrollTo({ left: box.current.scrollWidth }), [newest]); // where it is too wide
  const at = chosen ?? { table: tables[0] ?? '', day: days.at(-1) ?? '' }; // the one that the tabulator reaches
  const onKeyDown = (e: KeyboardEvent, table: string, d: string) => {
    const [row, column] = [tables.indexOf(table), days.indexOf(d)];
    const step: Record<string, [number, number]> = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      Home: [row, 0],
      End: [row, days.length - 1],
    };
    const next = step[e.key];
    const [t, n] = next ? [tables[next[0]], days[next[1]]] : [];
    if (next) {
      e.preventDefault();
    }
    if (t && n) {
      onChoose({ table: t, day: n });
      box.current?.querySelector<HTMLElement>(`[data-cell="${t} ${n}"]`)?.focus();
    }
  };
  return (
    <div class={`table-box ${style.calendar}`} ref={box}>
      <table>
        <caption class="sr-only">State of each table on each day; arrows move between days and tables</caption>
        <thead>
          <tr>
            <td />
            {days.map((d, i) => (
              <th key={d} scope="col" class={dayDate(d).getUTCDay() % 6 === 0 ? style.calendarWeekend : undefined}>
                <abbr title={`${weekday(d)} ${day(d)}`}>
                  {(i === 0 || d.endsWith('01')) && <span class={style.calendarMonth}>{month(d)}</span>}
                  {Number(d.slice(6))}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tables.map(t => (
            <tr key={t}>
              <th scope="row">
                <a href={`/catalog/${t}?tab=partitions`}>{t}</a>
              </th>
              {days.map(d => {
                const c = cells.get(`${t} ${d}`);
                const look = lookOf(partitionStates, c?.state ?? '');
                const here = at.table === t && at.day === d;
                return (
                  <td key={d}>
                    <button
                      type="button"
                      class={`${style.calendarCell} ${look.tone ? style[look.tone] : ''}`}
                      data-cell={`${t} ${d}`}
                      data-state={c?.state}
                      tabIndex={here ? 0 : -1}
                      aria-pressed={chosen?.table === t && chosen.day === d}
                      aria-label={`${t}, ${day(d)}: ${c?.state ?? 'unknown'}${c?.rows ? `, ${number(c.rows)} rows` : ''}`}
                      title={`${day(d)}: ${c?.state ?? ''}${c?.reasons?.length ? ` (${c.reasons[0]})` : ''}`}
                      onClick={() => onChoose({ table: t, day: d })}
                      onKeyDown={e => onKeyDown(e, t, d)}
                    >
                      <Icon of={look.icon} size={13} />
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const month = (d: string) => dayDate(d).toLocaleDateString('en-GB', { month: 'short', timeZone: 'UTC' });

const Legend = ({ states }: { states: Set<string> }) => (
  <ul class={`${style.calendarLegend} small`}>
    {Object.entries(partitionStates)
      .filter(([s]) => states.has(s))
      .map(([s, look]) => (
        <li key={s}>
          <span class={`${style.calendarCell} ${look.tone ? style[look.tone] : ''}`}>
            <Icon of={look.icon} size={13} />
          </span>
          <span>
            <strong>{s}</strong> <span class="muted">{look.what}</span>
          </span>
        </li>
      ))}
  </ul>
);

function Chosen({ c, onRun }: { c: Cell; onRun?: (w: Wanted) => void }) {
  const look = lookOf(partitionStates, c.state);
  return (
    <div class={style.calendarChosen} aria-live="polite">
      <div class="row">
        <strong>
          {c.table}, {day(c.day)}
        </strong>
        <Badge tone={look.tone} icon={look.icon}>
          {c.state}
        </Badge>
        <span class={`muted small ${style.calendarWhat}`}>{look.what}</span>
        {c.run ? <a href={`/jobs/${c.run}`}>Run {c.run}</a> : null}
        {onRun && (
          <Button small icon={RotateCw} onClick={() => onRun({ tables: [c.table], from: c.day, to: c.day, force: !c.wrong })}>
            Make it again
          </Button>
        )}
      </div>
      {c.reasons?.length ? (
        <ul class="small">
          {c.reasons.map(r => (
            <li key={r}>{r}</li>
          ))}
        </ul>
      ) : null}
      <p class="muted small">
        {c.rows > 0 || c.bytes > 0
          ? `${number(c.rows)} rows, ${bytes(c.bytes)} published. `
          : c.state === 'published'
            ? ''
            : 'Nothing published. '}
        {c.complete ? 'Everything of the day is decoded.' : 'More of the day may come.'}
        {c.skippedChecks?.length ? ` Checks skipped: ${c.skippedChecks.join(', ')}.` : ''}
      </p>
    </div>
  );
}
