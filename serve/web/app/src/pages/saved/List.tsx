import { Bookmark, ChartColumn, Clock, SquareTerminal } from 'lucide';
import { list, mostListed, type Saved, tags } from '../../api/saved';
import { Badge, Empty, Icon, LinkButton, PageHead, Time } from '../../ui';
import { Found, FoundItem } from '../found/Found';
import { useFound } from '../found/useFound';

const tabs = [
  { id: 'all', label: 'All' },
  { id: 'mine', label: 'Mine' },
  { id: 'examples', label: 'Examples' },
];
const ids = tabs.map(t => t.id);

// SavedList finds saved queries by words and tags.
export function SavedList() {
  const found = useFound({
    path: '/saved',
    tabs: ids,
    list: ({ of, ...f }, signal) =>
      list({ ...f, person: of === 'mine' ? 'me' : undefined, limit: of === 'examples' ? mostListed : undefined }, signal),
    tags,
  });
  return (
    <div class="page">
      <PageHead
        title="Saved queries"
        actions={
          <LinkButton kind="primary" icon={SquareTerminal} href="/query">
            Write a query
          </LinkButton>
        }
      >
        Queries with their charts, parameters and schedules. You see those whose tables you may read.
      </PageHead>
      <Found
        state={found}
        label="Which queries"
        tabs={tabs}
        hint="Find in titles, tags, descriptions and SQL"
        nothing={<Nothing of={found.of} found={found.text !== '' || found.tag !== ''} />}
        shown={found.all.filter(s => found.of !== 'examples' || s.builtin)}
      >
        {s => <SavedItem key={s.id} saved={s} onTag={found.setTag} />}
      </Found>
    </div>
  );
}

const Nothing = ({ of, found }: { of: string; found: boolean }) => (
  <Empty icon={Bookmark} title={found ? 'Nothing fits' : of === 'mine' ? 'You have saved no query yet' : 'No saved queries'}>
    {found
      ? 'Try fewer or other words.'
      : 'Save a query on the Query page, or fork an example: others see it if they may read its tables.'}
  </Empty>
);

const SavedItem = ({ saved: s, onTag }: { saved: Saved; onTag: (tag: string) => void }) => (
  <FoundItem title={s.title} href={`/saved/${s.id}`} description={s.description} tags={s.tags} onTag={onTag}>
    {s.chart && s.chart.kind !== 'table' && <Icon of={ChartColumn} size={14} label={`with a ${s.chart.kind} chart`} />}
    {s.schedule && <Icon of={Clock} size={14} label="scheduled" />}
    {s.builtin ? <Badge tone="accent">example</Badge> : <span>{s.person.name}</span>}
    {s.updated && <Time at={s.updated} />}
  </FoundItem>
);
