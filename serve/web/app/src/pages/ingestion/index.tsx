import { useLocation } from 'preact-iso';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { may } from '../../app/session';
import { Button, Loaded, Note, PageHead, Panel, Spark, type Tab, Table, Tabs } from '../../ui';
import { compact, number, percent, plural } from '../../ui/formats';
import { late } from '../../ui/late';
import { Errors } from './Errors';
import style from './ingestion.module.css';
import { Lag } from './Lag';
import { Live } from './Live';
import { charted, spanOf, spans } from './series';

const ChartView = late(() => import('../../chart/ChartView'));

type TabName = 'arrivals' | 'types' | 'lag' | 'errors';

export default function Ingestion() {
  const { query, route } = useLocation();
  const span = spanOf(query.span);
  const tabs: Tab<TabName>[] = [
    { id: 'arrivals', label: 'Outcomes' },
    { id: 'types', label: 'Document types' },
    { id: 'lag', label: 'Lag' },
    ...(may('operate') ? [{ id: 'errors' as const, label: 'Errors' }] : []),
  ];
  const tab = tabs.find(t => t.id === query.tab)?.id ?? 'arrivals';
  const go = (o: { span?: string; tab?: string }) => route(`/ingestion?span=${o.span ?? span.id}&tab=${o.tab ?? tab}`, true);
  return (
    <div class="page">
      <PageHead
        title="Ingestion"
        actions={
          <div class="button-group" role="group" aria-label="Span of time">
            {spans.map(s => (
              <Button key={s.id} aria-pressed={s.id === span.id} onClick={() => go({ span: s.id })}>
                {s.label}
              </Button>
            ))}
          </div>
        }
      >
        What arrives, what becomes of it, and how far decoding is behind.
      </PageHead>
      <Live />
      <Arrived hours={span.hours} tab={tab} tabs={tabs} onTab={t => go({ tab: t })} />
    </div>
  );
}

function Arrived({
  hours,
  tab,
  tabs,
  onTab,
}: {
  hours: number;
  tab: TabName;
  tabs: Tab<TabName>[];
  onTab: (t: TabName) => void;
}) {
  // The newest data may be old: the end is asked for first, and the span counted from it.
  const arrived = useLoad(
    async signal => {
      const newest = await get('/ingestion', { signal });
      if (hours === 24) {
        return newest;
      }
      const to = new Date(newest.to);
      const from = new Date(to.getTime() - hours * 3_600_000);
      return get('/ingestion', { query: { from: from.toISOString(), to: to.toISOString() }, signal });
    },
    [hours],
    15,
  );
  const { data } = arrived;
  if (!data) {
    return <Loaded of={arrived} lines={8} />;
  }
  const chart = charted(data);
  const sum = (of: (s: { outcome: string; total: number }) => boolean) =>
    (data.series ?? []).filter(of).reduce((n, s) => n + s.total, 0);
  const all = sum(() => true);
  const [pings, duplicates, errors] = ['ping', 'duplicate', 'error'].map(o => sum(s => s.outcome === o)) as [
    number,
    number,
    number,
  ];
  const share = (n: number) => (all === 0 ? '' : percent(n / all, 2));
  const ago = data.last && Date.now() - Date.parse(data.last) > 86_400_000;
  return (
    <>
      <dl class={style.facts}>
        <Fact name="Submissions" value={compact(all)} more={`${compact(Math.round(all / Math.max(1, hours)))} an hour`} />
        <Fact name="Pings" value={compact(pings)} more={share(pings)} />
        <Fact name="Duplicates" value={compact(duplicates)} more={share(duplicates)} />
        <Fact name="Errors" value={compact(errors)} more={share(errors)} bad={all > 0 && errors / all > 0.01} />
      </dl>
      {ago && (
        <Note>Nothing arrived in the last day. This is the time up to {data.last?.slice(0, 16).replace('T', ' ')} UTC.</Note>
      )}
      {data.left > 0 && (
        <Note tone="accent">{plural(data.left, 'load')} of the archive are not counted yet: older times may lack some.</Note>
      )}
      {data.step >= 3600 && hours < 24 && <Note>There are no counts by the minute of that time any more.</Note>}
      <Tabs label="Of what arrived" tabs={tabs} value={tab} onValue={onTab}>
        {tab === 'arrivals' && (
          <Panel>
            {all === 0 ? (
              <p class="muted">Nothing arrived.</p>
            ) : (
              <ChartView chart={chart.chart} columns={chart.columns} rows={chart.rows} />
            )}
          </Panel>
        )}
        {tab === 'types' && (
          <Panel flush>
            <Table
              caption="Document types"
              rows={data.kinds ?? []}
              rowKey={k => `${k.namespace} ${k.type}`}
              columns={[
                { id: 'type', head: 'Type', header: true, cell: k => k.type || 'unknown', sort: k => k.type },
                { id: 'namespace', head: 'Namespace', cell: k => k.namespace, sort: k => k.namespace },
                {
                  id: 'over',
                  head: 'Over time',
                  cell: k => (
                    <Spark
                      kind="bars"
                      values={k.values ?? []}
                      label={`At most ${number(Math.max(0, ...(k.values ?? [])))} in one step`}
                    />
                  ),
                },
                { id: 'pings', head: 'Pings', num: true, cell: k => number(k.pings), sort: k => k.pings },
                { id: 'duplicates', head: 'Duplicates', num: true, cell: k => number(k.duplicates), sort: k => k.duplicates },
                { id: 'errors', head: 'Errors', num: true, cell: k => number(k.errors), sort: k => k.errors },
              ]}
              start={{ by: 'pings', down: true }}
            />
          </Panel>
        )}
        {tab === 'lag' && <Lag from={data.from} to={data.to} />}
        {tab === 'errors' && <Errors />}
      </Tabs>
    </>
  );
}

const Fact = ({ name, value, more, bad }: { name: string; value: string; more: string; bad?: boolean }) => (
  <div class="panel">
    <dt>{name}</dt>
    <dd class={bad ? style.failed : undefined}>{value}</dd>
    <dd class="muted small">{more}</dd>
  </div>
);
