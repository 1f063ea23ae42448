import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { create, type DashboardDoc, docOf, list, one, update, type WidgetKind } from '../../api/dashboards';
import { useAction, useLoad } from '../../api/hooks';
import type { Saved } from '../../api/saved';
import { parametersOf } from '../../sql/parameters';
import { Button, Dialog, ErrorBox, Loaded, Select, TextField } from '../../ui';
import { bindingsOf, sourceOf } from './bindings';
import { add, toStore } from './draft';

const fresh = '';

// AddToDashboard puts a saved query on a dashboard, which may be a new one. The query's parameters become shared ones.
export default function AddToDashboard({ saved, onClose }: { saved: Saved; onClose: () => void }) {
  const { route } = useLocation();
  const mine = useLoad(async signal => (await list({ person: 'me' }, signal)).items, []);
  const [to, setTo] = useState<string>();
  const [title, setTitle] = useState('');
  const [kind, setKind] = useState<WidgetKind>(
    saved.chart?.kind === 'table' ? 'table' : saved.chart?.kind === 'number' ? 'number' : 'chart',
  );
  const chosen = to ?? mine.data?.[0]?.id ?? fresh;
  const put = useAction(async () => {
    const doc = (d: DashboardDoc) => {
      const parameters = parametersOf(saved.sql, saved.parameters);
      const sources = Object.fromEntries(parameters.map(p => [p.name, sourceOf(p, undefined, d.parameters ?? [])]));
      const bound = bindingsOf(parameters, sources);
      return toStore(add(d, { kind, query: saved.id, parameters: bound.parameters }, bound.shared));
    };
    if (chosen === fresh) {
      route(`/dashboards/${(await create(doc({ title: title.trim(), widgets: [] }))).id}`);
      return;
    }
    const d = await one(chosen);
    await update(d.id, d.revision, doc(docOf(d)));
    route(`/dashboards/${d.id}`);
  });
  const lacking = !mine.data || (chosen === fresh && title.trim() === '');
  return (
    <Dialog
      title="Add to a dashboard"
      onClose={onClose}
      foot={
        <Button kind="primary" disabled={lacking} busy={put.busy} onClick={() => void put.run()}>
          Add
        </Button>
      }
    >
      <form
        class="form"
        onSubmit={e => {
          e.preventDefault();
          if (!lacking) {
            void put.run();
          }
        }}
      >
        <ErrorBox error={put.error} />
        <Loaded of={mine}>
          {items => (
            <Select
              label="Dashboard"
              value={chosen}
              onValue={setTo}
              choices={[...items.map(d => ({ value: d.id, label: d.title })), { value: fresh, label: 'a new one' }]}
            />
          )}
        </Loaded>
        {mine.data && chosen === fresh && (
          <TextField label="Title of the new dashboard" value={title} onValue={setTitle} maxLength={200} required />
        )}
        <Select
          label="Shown as"
          value={kind}
          onValue={setKind}
          choices={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
            { value: 'number', label: 'Number' },
          ]}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
