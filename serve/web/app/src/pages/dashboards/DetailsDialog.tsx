import { useState } from 'preact/hooks';
import type { DashboardDoc } from '../../api/dashboards';
import { Button, Dialog, Select, TextArea, TextField } from '../../ui';
import { rhythm } from './state';

type Details = Pick<DashboardDoc, 'title' | 'description' | 'tags' | 'refresh'>;

const rhythms = [0, 60, 300, 900, 3600, 21_600, 86_400]; // seconds

// DetailsDialog changes the title, description and tags of a dashboard, and how often it is refreshed.
export function DetailsDialog({
  doc,
  onClose,
  onDone,
}: {
  doc: DashboardDoc;
  onClose: () => void;
  onDone: (d: Details) => void;
}) {
  const [title, setTitle] = useState(doc.title);
  const [description, setDescription] = useState(doc.description ?? '');
  const [tags, setTags] = useState((doc.tags ?? []).join(', '));
  const [refresh, setRefresh] = useState(doc.refresh ?? 0);
  const choices = rhythms.includes(refresh) ? rhythms : [...rhythms, refresh];
  const done = () =>
    onDone({
      title: title.trim(),
      description: description.trim() || undefined,
      tags: tags
        .split(',')
        .map(t => t.trim())
        .filter(Boolean),
      refresh: refresh || undefined,
    });
  const lacking = title.trim() === '';
  return (
    <Dialog
      title="Details"
      onClose={onClose}
      foot={
        <Button kind="primary" disabled={lacking} onClick={done}>
          OK
        </Button>
      }
    >
      <form
        class="form"
        onSubmit={e => {
          e.preventDefault();
          if (!lacking) {
            done();
          }
        }}
      >
        <TextField label="Title" value={title} onValue={setTitle} maxLength={200} required autofocus />
        <TextArea label="Description" value={description} onValue={setDescription} />
        <TextField label="Tags" value={tags} onValue={setTags} hint="With commas between them." />
        <Select
          label="Refreshed"
          value={String(refresh)}
          onValue={v => setRefresh(Number(v))}
          choices={choices.map(s => ({ value: String(s), label: rhythm(s) }))}
          hint="While somebody looks at it. Each query runs once for everybody."
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
