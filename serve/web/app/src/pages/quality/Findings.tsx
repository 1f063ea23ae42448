import { CircleCheck, SquareTerminal } from 'lucide';
import { Badge, Icon, type Tone } from '../../ui';
import { day as written } from '../../ui/formats';
import { openQuery } from '../query/open';
import findingStyle from './findings.module.css';
import { type Finding, heads, type Level, level, write } from './series';

export const tones: Record<Level, Tone | undefined> = { grave: 'bad', medium: 'warn', small: undefined };

// QueryLink opens a query and runs it.
export const QueryLink = ({ sql, label }: { sql: string; label: string }) => (
  <a class="button button-small" href="/query" onClick={() => openQuery({ sql, run: true })} aria-label={`Query: ${label}`}>
    <Icon of={SquareTerminal} size={14} />
    Query
  </a>
);

// Findings lists what is odd about a day, with the numbers before it.
export function Findings({ all, onColumn }: { all: readonly Finding[]; onColumn: (name: string) => void }) {
  if (all.length === 0) {
    return (
      <p class={findingStyle.quiet}>
        <Icon of={CircleCheck} /> Nothing is odd about this day.
      </p>
    );
  }
  return (
    <ol class={findingStyle.findings}>
      {all.map(f => (
        <li key={`${f.rule} ${f.column} ${f.value} ${f.since}`} class={findingStyle.finding}>
          <Score score={f.score} />
          <div class={findingStyle.findingText}>
            <p>
              {f.text}
              {f.since && <Badge>since {written(f.since)}</Badge>}
            </p>
            <Numbers f={f} />
            {f.like && f.like.length > 0 && <Like f={f} onColumn={onColumn} />}
          </div>
          <div class={findingStyle.findingDo}>
            {f.column && (
              <button
                type="button"
                class="button button-small"
                onClick={() => onColumn(f.column!)}
                aria-label={`Column ${f.column}`}
              >
                Column
              </button>
            )}
            <QueryLink sql={f.sql} label={f.text} />
          </div>
        </li>
      ))}
    </ol>
  );
}

export const Score = ({ score }: { score: number }) => (
  <span class={`${findingStyle.score} ${findingStyle[level(score)] ?? ''}`} title={`How odd it is: ${score} of 100`}>
    <span class="sr-only">{level(score)}, score </span>
    {score}
  </span>
);

// Scale explains scores.
export const Scale = () => <span class="muted small">Scores: 0 to 100, from 30 medium, from 60 grave</span>;

function Numbers({ f }: { f: Finding }) {
  const all = [
    ['now', f.now],
    ['the day before', f.yesterday],
    ['a week before', f.week],
    ['usual', f.usual],
  ] as const;
  if (f.now === undefined) {
    return null;
  }
  return (
    <p class={findingStyle.numbers}>
      <span>{heads[f.measure]}</span>
      {all
        .filter(([, n]) => n !== undefined)
        .map(([what, n]) => (
          <span key={what}>
            {what} <b>{write(f.measure, n)}</b>
          </span>
        ))}
    </p>
  );
}

const shown = 6;

function Like({ f, onColumn }: { f: Finding; onColumn: (name: string) => void }) {
  const like = f.like ?? [];
  return (
    <p class={findingStyle.like}>
      With it:{' '}
      {like.slice(0, shown).map((m, i) => (
        <span key={`${m.measure} ${m.column} ${m.value}`}>
          {i > 0 && ', '}
          {m.column ? (
            <button type="button" class={findingStyle.link} onClick={() => onColumn(m.column!)}>
              {m.column}
              {m.value !== undefined && m.value !== '' && ` ${m.value}`}
            </button>
          ) : (
            heads[m.measure]?.toLowerCase()
          )}
        </span>
      ))}
      {like.length > shown && ` and ${like.length - shown} more`}
    </p>
  );
}
