import type { Condition, Schedule } from '../../api/saved';

// Rhythm is how often a schedule runs, as people choose it; other cron texts and intervals are written.
export type Rhythm = 'hourly' | 'daily' | 'workdays' | 'weekly' | 'other';

export interface Choice {
  rhythm: Rhythm;
  time: string; // 07:00
  weekday: string; // 0 is Sunday
  every: string; // of other
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

// textOf is the cron text or interval of a choice.
export function textOf(c: Choice): string {
  const [hour, minute] = c.time.split(':').map(Number);
  const at = `${minute ?? 0} ${hour ?? 0}`;
  switch (c.rhythm) {
    case 'hourly':
      return `${minute ?? 0} * * * *`;
    case 'daily':
      return `${at} * * *`;
    case 'workdays':
      return `${at} * * 1-5`;
    case 'weekly':
      return `${at} * * ${c.weekday}`;
    default:
      return c.every.trim();
  }
}

// choiceOf is the choice that makes a text.
export function choiceOf(every: string): Choice {
  const m = /^(\d{1,2}) (\d{1,2}|\*) \* \* (\*|1-5|[0-6])$/.exec(every.trim());
  const begin: Choice = { rhythm: 'other', time: '07:00', weekday: '1', every };
  if (!m) {
    return begin;
  }
  const [, minute = '0', hour = '*', day = '*'] = m;
  const time = `${(hour === '*' ? '0' : hour).padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (hour === '*') {
    return day === '*' ? { ...begin, rhythm: 'hourly', time } : begin;
  }
  const rhythm = day === '*' ? 'daily' : day === '1-5' ? 'workdays' : 'weekly';
  return { ...begin, rhythm, time, weekday: rhythm === 'weekly' ? day : '1' };
}

// sentence describes a schedule.
export function sentence(s: Schedule): string {
  const c = choiceOf(s.every);
  const zone = s.timezone || 'UTC';
  const when = {
    hourly: `every hour at minute ${Number(c.time.slice(3))}`,
    daily: `every day at ${c.time} ${zone}`,
    workdays: `Monday to Friday at ${c.time} ${zone}`,
    weekly: `every ${weekdays[Number(c.weekday)]} at ${c.time} ${zone}`,
    other: /^\d+[a-z]/.test(s.every) ? `every ${s.every}` : `at ${s.every} (cron, ${zone})`,
  }[c.rhythm];
  const to = (s.notify ?? []).map(t => t.to).join(', ');
  const tell =
    to === '' ? 'Nobody is notified.' : `${s.condition ? `If ${condition(s.condition)}` : 'Each time'}, ${to} is notified.`;
  return `Runs ${when}. ${tell}`;
}

function condition(c: Condition): string {
  const column = c.column || 'the first value';
  switch (c.kind) {
    case 'rows':
      return `the result has ${c.is} ${c.than ?? 0} rows`;
    case 'value':
      return `${column} is ${c.is} ${c.than ?? 0}`;
    case 'change':
      return `${column} changes by ${c.is} ${c.than ?? 0} %`;
    default:
      return 'it fails';
  }
}
