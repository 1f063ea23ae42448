import { useState } from 'preact/hooks';
import { type Imported, importFiles } from '../../api/dashboards';
import { useAction } from '../../api/hooks';
import { Badge, Button, Dialog, ErrorBox, Field, Note } from '../../ui';
import { plural } from '../../ui/formats';

// ImportDialog saves dashboards and queries of files: those that pingmill wrote, and JSON of Redash's API.
export default function ImportDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const [report, setReport] = useState<Imported>();
  const put = useAction(async (overwrite: boolean) => {
    const read = await Promise.all(files.map(async f => ({ path: f.name, text: await f.text() })));
    setReport(await importFiles(read, overwrite));
    onDone();
  });
  const conflicts = report?.conflicts ?? [];
  return (
    <Dialog
      title="Import"
      wide
      onClose={onClose}
      foot={
        conflicts.length > 0 ? (
          <Button kind="danger" busy={put.busy} onClick={() => void put.run(true)}>
            Overwrite {plural(conflicts.length, 'of them', 'of them')}
          </Button>
        ) : (
          <Button kind="primary" disabled={files.length === 0} busy={put.busy} onClick={() => void put.run(false)}>
            Import
          </Button>
        )
      }
    >
      <div class="form">
        <ErrorBox error={put.error} />
        <Field
          label="Files"
          hint="The files of an export (dashboards as .yaml, queries as .sql), or queries and dashboards of Redash's API (.json)."
        >
          {p => (
            <input
              {...p}
              type="file"
              multiple
              accept=".yaml,.yml,.sql,.json"
              onChange={e => {
                setFiles([...(e.currentTarget.files ?? [])]);
                setReport(undefined);
              }}
            />
          )}
        </Field>
        {report && <Outcome report={report} />}
      </div>
    </Dialog>
  );
}

function Outcome({ report }: { report: Imported }) {
  const [items, conflicts, left] = [report.items ?? [], report.conflicts ?? [], report.left ?? []];
  return (
    <>
      {conflicts.length > 0 && (
        <Note tone="warn" title="Stored otherwise">
          <Files of={conflicts} />
        </Note>
      )}
      {left.length > 0 && (
        <Note tone="warn" title="Left out">
          <Files of={left} />
        </Note>
      )}
      <ul aria-label="Imported">
        {items.map(i => (
          <li key={`${i.kind} ${i.id}`}>
            <a href={`/${i.kind === 'dashboard' ? 'dashboards' : 'saved'}/${i.id}`}>{i.title}</a>{' '}
            <Badge tone={i.done === 'same' ? undefined : 'good'}>{i.done}</Badge>
          </li>
        ))}
      </ul>
      {items.length + conflicts.length + left.length === 0 && <p class="muted">The files have nothing to import.</p>}
    </>
  );
}

const Files = ({ of }: { of: { path: string; message: string }[] }) => (
  <ul>
    {of.map(c => (
      <li key={`${c.path} ${c.message}`}>
        <code>{c.path}</code>: {c.message}
      </li>
    ))}
  </ul>
);
