import { LayoutDashboard } from 'lucide';
import { useState } from 'preact/hooks';
import { one } from '../../api/dashboards';
import { ApiError } from '../../api/errors';
import { useLoad } from '../../api/hooks';
import { Empty, LinkButton, Loaded } from '../../ui';
import { late } from '../../ui/late';
import { View } from './View';

const Editing = late(() => import('./Editing'));

// OneDashboard shows a dashboard, or edits it.
export function OneDashboard({ id }: { id: string }) {
  const found = useLoad(signal => one(id, signal), [id]);
  const [edits, setEdits] = useState(new URLSearchParams(location.search).has('edit'));
  if (found.error instanceof ApiError && found.error.status === 404) {
    return <Missing />;
  }
  if (!found.data) {
    return (
      <div class="page">
        <Loaded of={found} />
      </div>
    );
  }
  const d = found.data;
  if (edits && d.mine) {
    return (
      <Editing
        dashboard={d}
        onEnd={changed => {
          if (changed) {
            found.set(changed);
          }
          setEdits(false);
        }}
      />
    );
  }
  return <View key={d.revision} dashboard={d} onEdit={() => setEdits(true)} />;
}

export const Missing = () => (
  <Empty
    icon={LayoutDashboard}
    title="There is no such dashboard"
    action={<LinkButton href="/dashboards">All dashboards</LinkButton>}
  >
    It may have been removed, or may not be for you.
  </Empty>
);
