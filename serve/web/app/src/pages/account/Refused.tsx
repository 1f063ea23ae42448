import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Panel, Table, Time } from '../../ui';

// Refused are the last attempts to sign in to the account that failed; nothing where there are none.
export function Refused() {
  const { data } = useLoad(signal => get('/session/refused', { signal }), []);
  const items = data?.items ?? [];
  if (items.length === 0) {
    return null;
  }
  return (
    <Panel title="Attempts to sign in that failed" flush>
      <Table
        caption="Attempts to sign in that failed, newest first"
        rows={items}
        rowKey={r => `${r.at} ${r.address}`}
        columns={[
          { id: 'at', head: 'When', cell: r => <Time at={r.at} /> },
          { id: 'address', head: 'From', cell: r => <code class="small">{r.address}</code> },
          { id: 'why', head: 'Why', cell: r => <span class="small">{r.why}</span> },
        ]}
      />
    </Panel>
  );
}
