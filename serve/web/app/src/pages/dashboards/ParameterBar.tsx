import { ChevronDown } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import type { DashboardParameter, Item } from '../../api/dashboards';
import { isAbort } from '../../api/errors';
import { rowsOf } from '../../api/queries';
import type { Values } from '../../sql/parameters';
import { Check, Icon, Spinner } from '../../ui';
import { ParameterField } from '../query/Parameters';
import partStyle from '../query/parts.module.css';
import style from './parameters.module.css';
import type { Live } from './useResults';
import { optionItem, shownValue, toggled, withOptions } from './values';

// ParameterBar asks for the values that the widgets share.
export function ParameterBar({
  parameters,
  values,
  live,
  onValues,
}: {
  parameters: readonly DashboardParameter[];
  values: Values;
  live: Live;
  onValues: (v: Values) => void;
}) {
  if (parameters.length === 0) {
    return null;
  }
  return (
    <div class={`${partStyle.parameters} ${style.bar}`} role="group" aria-label="Parameters">
      {parameters.map(p => (
        <One
          key={p.name}
          of={p}
          item={optionItem(live.options, p)}
          value={shownValue(p, values)}
          onValue={v => onValues({ ...values, [p.name]: v })}
          onRun={live.refresh}
        />
      ))}
    </div>
  );
}

function One({
  of,
  item,
  value,
  onValue,
  onRun,
}: {
  of: DashboardParameter;
  item?: Item;
  value: string;
  onValue: (v: string) => void;
  onRun: () => void;
}) {
  const options = useOptions(item);
  if (of.options && of.kind === 'list' && options) {
    return <ListField of={of} options={options} value={value} onValue={onValue} />;
  }
  return (
    <>
      <ParameterField of={withOptions(of, options, value)} value={value} onValue={onValue} onRun={onRun} />
      {item && !options && (item.state === 'running' || item.state === 'waiting') && <Spinner label="Its choices are loaded" />}
    </>
  );
}

const mostOptions = 1000;

// useOptions reads the values of a drop-down: the first column of its query's result.
function useOptions(item: Item | undefined): string[] | undefined {
  const [options, setOptions] = useState<string[]>();
  const result = item?.result;
  useEffect(() => {
    if (!result) {
      return;
    }
    const abort = new AbortController();
    rowsOf(result)(0, mostOptions, abort.signal).then(
      page => setOptions([...new Set(page.rows.flatMap(r => (r[0] === null || r[0] === undefined ? [] : [String(r[0])])))]),
      e => !isAbort(e) && setOptions(undefined), // a field for text stays
    );
    return () => abort.abort();
  }, [result]);
  return options;
}

// ListField chooses several of the options.
function ListField({
  of,
  options,
  value,
  onValue,
}: {
  of: DashboardParameter;
  options: string[];
  value: string;
  onValue: (v: string) => void;
}) {
  const chosen = value
    .split(',')
    .map(v => v.trim())
    .filter(Boolean);
  const name = of.title || of.name;
  return (
    <details
      class={style.list}
      onKeyDown={e => {
        if (e.key === 'Escape') {
          e.preventDefault();
          e.currentTarget.open = false;
          e.currentTarget.querySelector('summary')?.focus();
        }
      }}
      onFocusOut={e => {
        if (e.relatedTarget instanceof Node && !e.currentTarget.contains(e.relatedTarget)) {
          e.currentTarget.open = false;
        }
      }}
    >
      <summary class="input input-small">
        <strong>{name}</strong>{' '}
        {chosen.length === 0 ? 'none' : chosen.length > 2 ? `${chosen.length} of ${options.length}` : value}
        <Icon of={ChevronDown} size={14} />
      </summary>
      <fieldset class={style.options}>
        <legend class="sr-only">{name}</legend>
        {options.map(o => (
          <Check key={o} label={o} checked={chosen.includes(o)} onChecked={() => onValue(toggled(value, o, options))} />
        ))}
      </fieldset>
    </details>
  );
}
