import { useState } from 'preact/hooks';
import { annotate } from '../../api/annotations';
import { useAction, useLoad } from '../../api/hooks';
import type { Query } from '../../api/queries';
import { one } from '../../api/saved';
import { changes } from '../../chart/MarkList';
import { chosenDay, drillTo, filtered, type Pick, pickText } from '../../chart/pick';
import { forApi, fromApi, type Parameter, type Values } from '../../sql/parameters';
import { Button, Dialog, ErrorBox, LinkButton, Loaded, TextField } from '../../ui';
import { openQuery } from './open';

// Picked offers what can be done with the values that a click on a chart chose: they become parameters of this query or of
// the one that the chart names, or a condition.
export function Picked({
  query,
  pick,
  drill,
  parameters = [],
  onValues,
  onClose,
}: {
  query: Query;
  pick: Pick;
  drill?: string;
  parameters?: readonly Parameter[];
  onValues?: (values: Values) => void; // missing: the query has no parameters that can be set here
  onClose: () => void;
}) {
  const day = Object.values(pick)
    .map(chosenDay)
    .find(d => d !== undefined);
  const own = parameterValues(pick, parameters);
  const sql = filtered(query.sql, pick, query.columns ?? []);
  const given = new URLSearchParams(Object.entries(query.parameters ?? {}).map(([name, v]) => [`p.${name}`, fromApi(v)]));
  return (
    <Dialog title={pickText(pick)} onClose={onClose}>
      <div class="form">
        {drill && <Drill id={drill} pick={pick} />}
        {onValues && Object.keys(own).length > 0 && (
          <Button
            onClick={() => {
              onClose();
              onValues(own);
            }}
          >
            Run with{' '}
            {Object.entries(own)
              .map(([name, v]) => `${name}: ${v}`)
              .join(', ')}
          </Button>
        )}
        {day && <Note day={day} onClose={onClose} />}
        <Button
          onClick={() => {
            openQuery({ sql, dialect: query.dialect, declared: [...parameters] });
            location.assign(`/query${given.size > 0 ? `?${given}` : ''}`); // loaded again, since this may be the editor
          }}
        >
          Only these rows, in the editor
        </Button>
      </div>
    </Dialog>
  );
}

// Note writes a text about the chosen day, which charts show from then on.
function Note({ day, onClose }: { day: string; onClose: () => void }) {
  const [text, setText] = useState('');
  const save = useAction(async () => {
    await annotate(day, text);
    changes.value++;
    onClose();
  });
  return (
    <form
      class="form"
      onSubmit={e => {
        e.preventDefault();
        void save.run();
      }}
    >
      <ErrorBox error={save.error} />
      <TextField
        label={`Annotation of ${day}`}
        value={text}
        onValue={setText}
        maxLength={200}
        hint="Everybody sees it at this day in all charts over time."
      />
      <Button type="submit" disabled={text.trim() === ''} busy={save.busy}>
        Annotate
      </Button>
    </form>
  );
}

// Drill leads to the query that the chart names.
function Drill({ id, pick }: { id: string; pick: Pick }) {
  const found = useLoad(signal => one(id, signal), [id]);
  return found.data ? (
    <LinkButton kind="primary" href={drillTo(found.data, pick)}>
      {found.data.title}
    </LinkButton>
  ) : (
    <Loaded of={found} lines={1} />
  );
}

// parameterValues returns the chosen values whose columns are named like parameters, as they are typed.
function parameterValues(pick: Pick, parameters: readonly Parameter[]): Values {
  const address = drillTo({ id: '', parameters: parameters.filter(p => p.name in pick) }, pick).split('?')[1];
  return Object.fromEntries(
    [...new URLSearchParams(address)].flatMap(([key, v]) => {
      const p = parameters.find(p => `p.${p.name}` === key);
      return p && forApi(p, v) !== undefined ? [[p.name, v]] : [];
    }),
  );
}
