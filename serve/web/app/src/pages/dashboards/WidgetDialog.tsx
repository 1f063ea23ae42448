import { useState } from 'preact/hooks';
import type { DashboardParameter, Widget, WidgetKind } from '../../api/dashboards';
import { useLoad } from '../../api/hooks';
import { one, type Saved } from '../../api/saved';
import { fromApi, initial, type Parameter, parametersOf } from '../../sql/parameters';
import { Button, Dialog, ErrorBox, Select, TextArea, TextField } from '../../ui';
import { ParameterField } from '../query/Parameters';
import { bindingsOf, type Source, sourceOf } from './bindings';
import { chartsOf } from './Content';
import type { NewWidget } from './draft';
import style from './editing.module.css';
import { Markdown } from './Markdown';
import { QueryPicker } from './QueryPicker';

const kindNames: Record<WidgetKind, string> = { chart: 'Chart', table: 'Table', number: 'Number', text: 'Text' };

interface Props {
  kind: WidgetKind;
  widget?: Widget; // undefined: a new one
  shared: readonly DashboardParameter[];
  onClose: () => void;
  onDone: (w: NewWidget, shared: DashboardParameter[]) => void;
}

// WidgetDialog makes a widget or changes one: its query and how it is shown, or its text.
export const WidgetDialog = (p: Props) => (p.kind === 'text' ? <TextDialog {...p} /> : <QueryDialog {...p} />);

function TextDialog({ widget, onClose, onDone }: Props) {
  const [title, setTitle] = useState(widget?.title ?? '');
  const [text, setText] = useState(widget?.text ?? '');
  const lacking = text.trim() === '';
  return (
    <Dialog
      title={widget ? 'Change the text' : 'Add a text'}
      wide
      onClose={onClose}
      foot={
        <Button
          kind="primary"
          disabled={lacking}
          onClick={() => onDone({ kind: 'text', text, title: title.trim() || undefined }, [])}
        >
          OK
        </Button>
      }
    >
      <div class="form">
        <TextField label="Title" value={title} onValue={setTitle} maxLength={200} placeholder="none" />
        <TextArea
          label="Text"
          value={text}
          onValue={setText}
          rows={8}
          maxLength={20_000}
          autofocus
          hint="Markdown: # heading, **bold**, - list, [link](/saved), tables. Pictures and HTML are not shown."
        />
        {!lacking && (
          <section class={style.preview} aria-label="Preview">
            <Markdown text={text} />
          </section>
        )}
      </div>
    </Dialog>
  );
}

function QueryDialog({ kind: first, widget, shared, onClose, onDone }: Props) {
  const [kind, setKind] = useState(first);
  const [title, setTitle] = useState(widget?.title ?? '');
  const [picked, setPicked] = useState<Saved>();
  const [chart, setChart] = useState(widget?.chart ?? 0);
  const [chosen, setChosen] = useState<Record<string, Source>>({});
  const now = useLoad(async signal => (widget?.query ? one(widget.query, signal) : undefined), [widget?.query]);
  const saved = picked ?? now.data;
  const before = saved?.id === widget?.query ? widget : undefined;
  const parameters = saved ? parametersOf(saved.sql, saved.parameters) : [];
  const sources = Object.fromEntries(parameters.map(p => [p.name, chosen[p.name] ?? sourceOf(p, before, shared)]));
  const charts = chartsOf(saved);
  const done = () => {
    if (saved) {
      const bound = bindingsOf(parameters, sources);
      onDone(
        {
          kind,
          query: saved.id,
          title: title.trim() || undefined,
          chart: kind === 'chart' && chart > 0 ? chart : undefined,
          parameters: bound.parameters,
        },
        bound.shared,
      );
    }
  };
  return (
    <Dialog
      title={widget ? `Change ${widget.title || 'the widget'}` : `Add a ${first}`}
      wide
      onClose={onClose}
      foot={
        <Button kind="primary" disabled={!saved} onClick={done}>
          OK
        </Button>
      }
    >
      <div class="form">
        <ErrorBox error={now.error} retry={now.reload} />
        <QueryPicker chosen={saved} onQuery={setPicked} />
        <div class="form-row">
          <Select
            label="Shown as"
            value={kind}
            onValue={setKind}
            choices={(['chart', 'table', 'number'] as const).map(k => ({ value: k, label: kindNames[k] }))}
          />
          {kind === 'chart' && charts.length > 1 && (
            <Select
              label="Chart"
              value={String(chart)}
              onValue={v => setChart(Number(v))}
              choices={charts.map((c, i) => ({ value: String(i), label: c.title || `${i + 1}: ${c.kind}` }))}
            />
          )}
          <TextField label="Title" value={title} onValue={setTitle} maxLength={200} placeholder={saved?.title} />
        </div>
        {kind === 'chart' && saved && charts.every(c => c.kind === 'table') && (
          <p class="muted small">The query has no chart: one that suits its rows is chosen.</p>
        )}
        {parameters.length > 0 && (
          <fieldset class="field">
            <legend>Values of its parameters</legend>
            <div class="form-row">
              {parameters.map(p => (
                <SourceField
                  key={p.name}
                  of={p}
                  source={sources[p.name]!}
                  shared={shared}
                  onSource={s => setChosen({ ...chosen, [p.name]: s })}
                />
              ))}
            </div>
          </fieldset>
        )}
      </div>
    </Dialog>
  );
}

// SourceField chooses where a parameter of the query gets its value.
function SourceField({
  of: p,
  source,
  shared,
  onSource,
}: {
  of: Parameter;
  source: Source;
  shared: readonly DashboardParameter[];
  onSource: (s: Source) => void;
}) {
  const isNew = !shared.some(s => s.name === p.name);
  const start = fromApi(p.default ?? initial(p));
  const value = source.from === 'shared' ? `shared ${source.name}` : source.from;
  return (
    <div class={style.source}>
      <Select
        label={p.title || p.name}
        value={value}
        onValue={v =>
          onSource(
            v === 'fixed'
              ? { from: 'fixed', value: start }
              : v === 'query'
                ? { from: 'query' }
                : { from: 'shared', name: v.slice('shared '.length) },
          )
        }
        choices={[
          ...(isNew ? [{ value: `shared ${p.name}`, label: `shared: ${p.name} (new)` }] : []),
          ...shared.map(s => ({ value: `shared ${s.name}`, label: `shared: ${s.title || s.name}` })),
          { value: 'fixed', label: 'a fixed value' },
          ...(isNew ? [{ value: 'query', label: start ? `as the query has it: ${start}` : 'as the query has it' }] : []),
        ]}
      />
      {source.from === 'fixed' && (
        <ParameterField
          of={{ ...p, title: 'Value', name: `fixed-${p.name}` }}
          value={source.value}
          onValue={v => onSource({ from: 'fixed', value: v })}
        />
      )}
    </div>
  );
}
