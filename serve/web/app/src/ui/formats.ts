// Numbers, sizes, days and times as the pages write them.

const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (n: number, digits?: number): string =>
  digits === undefined && Number.isInteger(n)
    ? whole.format(n)
    : new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits ?? 3 }).format(n);

export const compact = (n: number): string => (Math.abs(n) < 10_000 ? number(n, 2) : short.format(n));

export const percent = (share: number, digits = 1): string =>
  new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: digits }).format(share);

export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let u = 0;
  let v = Math.abs(n);
  while (v >= 999.5 && u < units.length - 1) {
    v /= 1000;
    u++;
  }
  return `${n < 0 ? '-' : ''}${u === 0 || v >= 99.95 ? Math.round(v) : v.toFixed(1)} ${units[u]}`;
}

// duration writes seconds.
export function duration(s: number): string {
  if (s < 0.001) {
    return `${Math.round(s * 1e6)} µs`;
  }
  if (s < 1) {
    return `${Math.round(s * 1000)} ms`;
  }
  if (s < 60) {
    return `${s < 10 ? s.toFixed(1) : Math.round(s)} s`;
  }
  if (s < 3600) {
    return `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s`;
  }
  return s < 86_400
    ? `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`
    : `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`;
}

// day writes 20180301 as 2018-03-01; anything else stays as it is.
export const day = (d: string): string => (/^\d{8}$/.test(d) ? `${d.slice(0, 4)}-${d.slice(4, 6)}-${d.slice(6)}` : d);

// dayDate is the start of a day such as 20180301, and dayOf the day of a time, in UTC.
export const dayDate = (d: string): Date => new Date(`${day(d)}T00:00:00Z`);
export const dayOf = (t: Date): string => t.toISOString().slice(0, 10).replaceAll('-', '');

export const addDays = (d: string, n: number): string => dayOf(new Date(dayDate(d).getTime() + n * 86_400_000));

// daysOf lists the days from one to another, at most 1000.
export function daysOf(from: string, to: string): string[] {
  const all: string[] = [];
  for (let d = from; d <= to && all.length < 1000; d = addDays(d, 1)) {
    all.push(d);
  }
  return all;
}

export const weekday = (d: string): string => dayDate(d).toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' });

// absolute is a time as 2018-03-01 12:34:56 UTC.
export const absolute = (t: Date): string => `${t.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

// relative is how far a time is from now, such as 3 min ago or in 2 d.
export function relative(t: Date, now: Date): string {
  const s = (now.getTime() - t.getTime()) / 1000;
  const a = Math.abs(s);
  if (a < 5) {
    return 'now';
  }
  const text =
    a < 60
      ? `${Math.floor(a)} s`
      : a < 3600
        ? `${Math.floor(a / 60)} min`
        : a < 86_400
          ? `${Math.floor(a / 3600)} h`
          : a < 60 * 86_400
            ? `${Math.floor(a / 86_400)} d`
            : a < 730 * 86_400
              ? `${Math.floor(a / (30.44 * 86_400))} months`
              : `${Math.floor(a / (365.25 * 86_400))} years`;
  return s >= 0 ? `${text} ago` : `in ${text}`;
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${number(n)} ${n === 1 ? one : many}`;
