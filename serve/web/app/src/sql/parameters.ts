/**
 * Parameters: {{day}} in SQL stands for a literal that the server writes in its place. What is a place follows the rules of
 * the server: names of letters, digits and _, with the members from, to and dashed; none in texts, quoted names and comments.
 */
import { scan } from './scan';

export type ParameterKind = 'text' | 'number' | 'day' | 'days' | 'choice' | 'list';

export interface Parameter {
  name: string;
  kind: ParameterKind;
  title?: string;
  default?: unknown;
  choices?: string[];
}

/** A value as it is typed and kept in addresses: a range of days is "20180301..20180307" or "last 7 days", a list has commas. */
export type Values = Record<string, string>;

const form = /^\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})((?:\.(?:from|to|dashed))*)\s*\}\}$/;

/** The parameters of a text in the order of their first places: as declared where they are, else of the kind that place and name suggest. */
export function parametersOf(sql: string, declared: readonly Parameter[] = []): Parameter[] {
  const found: Parameter[] = [];
  for (const t of scan(sql)) {
    const m = t.kind === 'parameter' ? form.exec(t.text) : null;
    if (!m) continue;
    const name = m[1] ?? '';
    let p = found.find(f => f.name === name);
    if (!p) {
      p = { ...(declared.find(d => d.name === name) ?? { name, kind: suggested(name) }) };
      found.push(p);
    }
    if (declared.some(d => d.name === name)) continue;
    if (/\.(from|to)/.test(m[2] ?? '')) p.kind = 'days';
    else if (m[2] && p.kind !== 'days') p.kind = 'day';
  }
  return found;
}

function suggested(name: string): ParameterKind {
  const word = name.toLowerCase();
  if (/(^|_)(day|date)$/.test(word)) return 'day';
  return /(^|_)(limit|rows|number|count|percent|min|max|top|n)$/.test(word) ? 'number' : 'text';
}

const relative = /^(today|yesterday|newest)(?: *- *\d{1,4})?$/i;
const last = /^(last|newest) \d{1,4} days?$/i;
const digits = /^-?(0|[1-9]\d{0,37})(\.\d{1,38})?(e[+-]?\d{1,3})?$/i;

/** What is wrong with a value, or "". */
export function faultOf(p: Parameter, value: string | undefined): string {
  if (value === undefined || (value.trim() === '' && p.kind !== 'text')) return 'a value is needed';
  switch (p.kind) {
    case 'number':
      return digits.test(value.trim()) ? '' : 'no number';
    case 'day':
      return isDay(value) ? '' : 'no day, such as 20180301, yesterday or newest';
    case 'days':
      return isRange(value) ? '' : 'no range of days, such as 20180301..20180307 or last 7 days';
    case 'choice':
      return p.choices?.includes(value) === false ? 'none of the choices' : '';
    default:
      return '';
  }
}

const isDay = (text: string): boolean => relative.test(text.trim()) || isDate(text.trim());

function isRange(text: string): boolean {
  if (last.test(text.trim()) || isDay(text)) return true;
  const [from, to, more] = text.split('..');
  return more === undefined && isDay(from ?? '') && isDay(to ?? '');
}

function isDate(text: string): boolean {
  const m = /^(\d{4})(-?)(\d\d)\2(\d\d)$/.exec(text);
  if (!m) return false;
  const date = `${m[1]}-${m[3]}-${m[4]}`;
  const d = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(d.getTime()) && d.toISOString().slice(0, 10) === date;
}

/** A value as the API takes it. Numbers that a double cannot hold stay texts. */
export function forApi(p: Parameter, value: string): unknown {
  switch (p.kind) {
    case 'number':
      return String(Number(value)) === value.trim() ? Number(value) : value.trim();
    case 'list':
      return value
        .split(',')
        .map(v => v.trim())
        .filter(v => v !== '');
    case 'days': {
      const [from, to] = value.split('..');
      return to === undefined ? value.trim() : { from: (from ?? '').trim(), to: to.trim() };
    }
    case 'day':
      return value.trim();
    default:
      return value;
  }
}

/** A value of the API, such as a default, as it is typed. */
export function fromApi(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (value !== null && typeof value === 'object') {
    const { from, to } = value as { from?: unknown; to?: unknown };
    return `${String(from ?? '')}..${String(to ?? '')}`;
  }
  return value === undefined || value === null ? '' : String(value);
}

/** What a parameter has before anybody gave it a value. */
export function initial(p: Parameter): string {
  if (p.default !== undefined && p.default !== null) return fromApi(p.default);
  return { text: '', number: '', day: 'newest', days: 'newest 7 days', choice: p.choices?.[0] ?? '', list: '' }[p.kind];
}

/** 20180301 as a date input has it, 2018-03-01, and back. What is no date is "". */
export function toDateInput(day: string): string {
  const text = day.trim().replaceAll('-', '');
  return /^\d{8}$/.test(text) && isDate(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : '';
}
export const fromDateInput = (date: string): string => date.replaceAll('-', '');
