import { CircleAlert, CircleCheck, CircleSlash, TriangleAlert } from 'lucide';
import { Badge, Panel } from '../../ui';
import { plural } from '../../ui/formats';
import findingStyle from './findings.module.css';
import type { Check } from './series';

// CheckList is the checks of a day; those that passed are a line until somebody wants to see them.
export function CheckList({ checks }: { checks: readonly Check[] }) {
  const passed = checks.filter(c => c.verdict === 'passed');
  const others = checks.filter(c => c.verdict !== 'passed');
  if (checks.length === 0) {
    return null;
  }
  return (
    <Panel title="Checks" flush>
      <List checks={others} />
      {passed.length > 0 && (
        <details class={findingStyle.passed} open={others.length === 0 && passed.length === 1}>
          <summary>
            <Badge tone="good" icon={CircleCheck}>
              {plural(passed.length, 'check')} passed
            </Badge>
          </summary>
          <List checks={passed} />
        </details>
      )}
    </Panel>
  );
}

const List = ({ checks }: { checks: readonly Check[] }) => (
  <ul class={findingStyle.checks}>
    {checks.map(c => (
      <li key={c.name}>
        <Verdict c={c} />
        <div>
          <code>{c.name}</code>
          <p class="small">
            {c.rule}
            {c.found ? `: ${plural(c.found, 'thing')} break it` : ''}
            {c.note ? `. ${c.note}` : ''}
          </p>
        </div>
      </li>
    ))}
  </ul>
);

function Verdict({ c }: { c: Check }) {
  if (c.verdict === 'passed') {
    return (
      <Badge tone="good" icon={CircleCheck}>
        passed
      </Badge>
    );
  }
  if (c.verdict === 'not run') {
    return <Badge icon={CircleSlash}>not run</Badge>;
  }
  const grave = c.severity === 'error';
  return (
    <Badge tone={grave ? 'bad' : 'warn'} icon={grave ? CircleAlert : TriangleAlert}>
      {c.verdict}
    </Badge>
  );
}
