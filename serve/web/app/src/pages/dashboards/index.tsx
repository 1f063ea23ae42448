import { useRoute } from 'preact-iso';
import { late } from '../../ui/late';
import { DashboardList } from './List';
import { OneDashboard } from './One';

const Revisions = late(() => import('./Revisions'));

export default function Dashboards() {
  const { id, view } = useRoute().params;
  if (!id) {
    return <DashboardList />;
  }
  return view === 'revisions' ? <Revisions key={id} id={id} /> : <OneDashboard key={id} id={id} />;
}
