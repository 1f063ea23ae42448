import { useState } from 'preact/hooks';
import { ApiError } from '../../api/errors';
import { useAction } from '../../api/hooks';
import { create, one, type Saved, type SavedDoc, update } from '../../api/saved';
import { forApi, fromApi, initial, type Parameter, type ParameterKind } from '../../sql/parameters';
import { Button, Dialog, ErrorBox, Note, Select, TextArea, TextField } from '../../ui';
import { ParameterField } from './Parameters';

const parameterKinds: ParameterKind[] = ['text', 'number', 'day', 'days', 'choice', 'list'];

// SaveDialog saves a query under a title, or a change to the one that is edited.
export function SaveDialog({
  doc,
  saved,
  parameters,
  run,
  onSaved,
  onClose,
}: {
  doc: Pick<SavedDoc, 'sql' | 'dialect' | 'chart' | 'charts'>;
  saved?: Saved;
  parameters: Parameter[];
  run?: string; // the run whose result is shown, if it is one of this text
  onSaved: (s: Saved) => void;
  onClose: () => void;
}) {
  const own = saved?.mine ? saved : undefined;
  const [title, setTitle] = useState(own ? own.title : saved ? `${saved.title}, my copy` : '');
  const [description, setDescription] = useState(saved?.description ?? '');
  const [tags, setTags] = useState((saved?.tags ?? []).join(', '));
  const [declared, setDeclared] = useState(parameters);
  const [conflict, setConflict] = useState<Saved>();
  const whole = (): SavedDoc => ({
    ...doc,
    title: title.trim(),
    ...(description.trim() && { description: description.trim() }),
    tags: tags
      .split(',')
      .map(t => t.trim())
      .filter(Boolean),
    ...(declared.length > 0 && { parameters: declared }),
  });
  const save = useAction(async (as: 'new' | 'same', revision?: number) => {
    if (as === 'new' || !own) {
      onSaved(await create(whole(), run));
      return;
    }
    try {
      onSaved(await update(own.id, revision ?? own.revision, whole()));
    } catch (e) {
      if (!(e instanceof ApiError && e.status === 412)) {
        throw e;
      }
      setConflict(await one(own.id));
    }
  });
  const change = (p: Parameter, to: Partial<Parameter>) =>
    setDeclared(declared.map(d => (d.name === p.name ? { ...d, ...to } : d)));
  const lacking = title.trim() === '';
  return (
    <Dialog
      title={own ? 'Save the change' : 'Save the query'}
      onClose={onClose}
      foot={
        conflict ? (
          <>
            <Button onClick={() => save.run('new')}>Save mine as another query</Button>
            <Button kind="danger" busy={save.busy} onClick={() => save.run('same', conflict.revision)}>
              Overwrite
            </Button>
          </>
        ) : (
          <>
            {own && (
              <Button disabled={lacking} onClick={() => save.run('new')}>
                Save as another query
              </Button>
            )}
            <Button kind="primary" disabled={lacking} busy={save.busy} onClick={() => save.run('same')}>
              Save
            </Button>
          </>
        )
      }
    >
      <form
        class="form"
        onSubmit={e => {
          e.preventDefault();
          if (!lacking && !conflict) {
            void save.run('same');
          }
        }}
      >
        {conflict && (
          <Note tone="warn" title="It was changed meanwhile">
            {conflict.person.name} saved another text while you worked on yours. Overwriting replaces it; it stays among the
            revisions.
          </Note>
        )}
        <ErrorBox error={save.error} />
        <TextField label="Title" value={title} onValue={setTitle} maxLength={200} required autofocus />
        <TextArea
          label="Description"
          value={description}
          onValue={setDescription}
          hint="What it is for, and what its numbers mean."
        />
        <TextField label="Tags" value={tags} onValue={setTags} hint="With commas between them." />
        <p class="muted small">
          {doc.chart && doc.chart.kind !== 'table'
            ? `With its ${doc.chart.kind} chart${doc.charts?.length ? ` and ${doc.charts.length} more` : ''}.`
            : 'Without a chart: look at the result as one to save it.'}
        </p>
        {declared.map(p => (
          <fieldset key={p.name} class="field">
            <legend>
              Parameter <code>{`{{${p.name}}}`}</code>
            </legend>
            <div class="form-row">
              <Select
                label="Kind"
                value={p.kind}
                onValue={kind => change(p, { kind, default: initial({ name: p.name, kind }) })}
                choices={parameterKinds}
              />
              {p.kind === 'choice' ? (
                <TextField
                  label="Choices"
                  value={(p.choices ?? []).join(', ')}
                  onValue={v =>
                    change(p, {
                      choices: v
                        .split(',')
                        .map(c => c.trim())
                        .filter(Boolean),
                      default: v.split(',')[0]?.trim(),
                    })
                  }
                />
              ) : null}
            </div>
            <ParameterField
              of={{ ...p, title: 'Begins as', name: `saved-${p.name}` }}
              value={fromApi(p.default ?? initial(p))}
              onValue={v => change(p, { default: forApi(p, v) })}
            />
          </fieldset>
        ))}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
