import { Search as Glass } from 'lucide';
import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Button, type Column, Icon, Loaded, Panel, Search, Spark, Table } from '../../ui';
import { compact, number, percent, plural } from '../../ui/formats';
import { Score } from './Findings';
import findingStyle from './findings.module.css';
import type { ColumnItem } from './series';

const most = 60;

// Columns lists the columns of a table with their nulls over four weeks, the odd ones first.
export function Columns({ table, day, onColumn }: { table: string; day: string; onColumn: (name: string) => void }) {
  const [text, setText] = useState('');
  const [all, setAll] = useState(false);
  const columns = useLoad(signal => get('/quality/{table}/columns', { path: { table }, query: { day }, signal }), [table, day]);
  const items = columns.data?.items ?? [];
  const found = items.filter(c => c.name.toLowerCase().includes(text.toLowerCase()));
  const shown = all || found.length <= most ? found : byOddness(found).slice(0, most);
  return (
    <Panel
      flush
      title={`Columns${columns.data ? ` (${number(items.length)})` : ''}`}
      actions={
        <Search label="Find a column" value={text} onValue={setText}>
          <Icon of={Glass} />
        </Search>
      }
      foot={
        found.length > shown.length && (
          <Button small onClick={() => setAll(true)}>
            Show all {plural(found.length, 'column')}
          </Button>
        )
      }
    >
      <Loaded of={columns} lines={6}>
        {() =>
          items.length === 0 ? (
            <p class={findingStyle.quiet}>This day has no profile.</p>
          ) : (
            <Table
              caption={`Columns of ${table}`}
              rows={shown}
              rowKey={c => c.name}
              columns={columnsOf(onColumn)}
              start={{ by: 'odd', down: true }}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

const byOddness = (all: ColumnItem[]) => [...all].sort((a, b) => b.score - a.score);
const last = (c: ColumnItem) => c.nulls?.at(-1) ?? null;
const share = (n: number | null) => (n === null ? '–' : percent(n, n > 0 && n < 0.1 ? 2 : 1));

const columnsOf = (onColumn: (name: string) => void): Column<ColumnItem>[] => [
  {
    id: 'name',
    head: 'Column',
    header: true,
    sort: c => c.name,
    cell: c => (
      <button type="button" class={`${findingStyle.link} ${findingStyle.column}`} onClick={() => onColumn(c.name)}>
        {c.name}
      </button>
    ),
  },
  { id: 'odd', head: 'Odd, of 100', num: true, sort: c => c.score, cell: c => (c.score > 0 ? <Score score={c.score} /> : '') },
  { id: 'null', head: 'Null', num: true, sort: c => last(c) ?? -1, cell: c => share(last(c)) },
  {
    id: 'spark',
    head: 'Nulls over time',
    cell: c => (
      <Spark values={c.nulls ?? []} high={1} width={126} height={26} label={`Nulls of ${c.name}: last ${share(last(c))}`} />
    ),
  },
  {
    id: 'distinct',
    head: 'Distinct',
    num: true,
    sort: c => c.distinct ?? 0,
    cell: c => (c.distinct ? compact(c.distinct) : ''),
  },
  {
    id: 'top',
    head: 'Most frequent, median',
    cell: c =>
      c.top !== undefined && c.topShare !== undefined ? (
        <span class={findingStyle.topvalue}>
          <span class="cut">{c.top === '' ? '(empty)' : c.top}</span> <span class="muted">{percent(c.topShare)}</span>
        </span>
      ) : c.median !== undefined ? (
        <span class="muted">median {compact(Number(c.median.toPrecision(4)))}</span>
      ) : (
        ''
      ),
  },
];
