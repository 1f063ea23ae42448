import { signal } from '@preact/signals';
import { X } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { removeAnnotation } from '../api/annotations';
import { errorText } from '../api/errors';
import { IconButton, toast } from '../ui';
import { time } from './axis';
import { type Chart, has } from './chart';
import type { Data, Mark } from './data';
import { daysOf, lettered, notes, releases } from './marks';

// changes counts annotations that were written or removed here: all charts load them again.
export const changes = signal(0);

// useMarks loads the marks of a chart's days. lost says that releases could not be read.
export function useMarks(chart: Chart, data: Data): { marks: Mark[]; lost: boolean } {
  const [written, setWritten] = useState<Mark[]>([]);
  const [built, setBuilt] = useState<Mark[]>([]);
  const [lost, setLost] = useState(false);
  const days = daysOf(data);
  const [from, to] = [days?.from, days?.to];
  const turn = changes.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the turn changes with the annotations
  useEffect(() => {
    let current = true;
    if (from && to) {
      notes(from, to, turn).then(
        m => current && setWritten(m),
        () => {}, // a chart without them is one, too
      );
    } else {
      setWritten([]);
    }
    return () => {
      current = false;
    };
  }, [from, to, turn]);
  const wanted = has(chart, 'releases');
  useEffect(() => {
    let current = true;
    setLost(false);
    if (from && to && wanted) {
      releases(from, to).then(
        m => current && setBuilt(m),
        () => current && setLost(true),
      );
    } else {
      setBuilt([]);
    }
    return () => {
      current = false;
    };
  }, [from, to, wanted]);
  return { marks: written.length + built.length === 0 ? none : [...written, ...built], lost };
}

const none: Mark[] = [];

// MarkList says in words what the letters at the days of a chart mean.
export function MarkList({ marks }: { marks: readonly Mark[] }) {
  const remove = (id: string) =>
    removeAnnotation(id).then(
      () => changes.value++,
      e => toast(`It could not be removed: ${errorText(e)}`, { bad: true }),
    );
  return marks.length > 0 ? (
    <ul class="chart-marks" aria-label="Annotations">
      {lettered(marks).map(m => (
        <li key={m.letter}>
          <b>{m.letter}</b> {time(m.at)}: {m.text}
          {m.note?.mine && <IconButton small label={`Remove: ${m.text}`} icon={X} onClick={() => m.note && remove(m.note.id)} />}
        </li>
      ))}
    </ul>
  ) : null;
}
