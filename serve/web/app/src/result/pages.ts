/** Rows of a result, fetched by pages when they are looked at. At most `keep` pages are kept, the longest unused go first. */
import type { Row } from './format';

export interface Page {
  rows: Row[];
  total: number;
  complete: boolean;
}
export type Fetch = (offset: number, limit: number, signal: AbortSignal) => Promise<Page>;

const [cells, mostOf, leastOf] = [20_000, 500, 25]; // of a page

/** The number of rows of a page: fewer where they have many columns, since a page is seen when all of it is here. */
export const pageOf = (columns: number): number => Math.max(leastOf, Math.min(mostOf, Math.floor(cells / Math.max(1, columns))));

const mostKept = 30_000; // rows

export class Pages {
  private readonly kept = new Map<number, Row[]>();
  private readonly early = new Set<number>(); // pages of a result that was not whole: they are shown until they are fetched again
  /** Whether the result is whole. */
  whole = true;
  private readonly asked = new Map<number, AbortController>();
  private failed = 0;
  /** Fetches that run at the same time; the newest wish is served first. */
  private static readonly parallel = 2;
  private wanted: number[] = [];

  constructor(
    private readonly fetch: Fetch,
    public total: number,
    private readonly changed: (error?: unknown) => void,
    readonly size = mostOf,
    private readonly keep = mostKept / size,
  ) {}

  /** Says how many rows the result has, and whether it is whole. The rows of one that was not may be others in the whole one. */
  grow(total: number, whole: boolean): void {
    if (whole && !this.whole) {
      this.close();
      this.asked.clear();
      this.failed = 0;
      for (const p of this.kept.keys()) this.early.add(p);
    }
    this.total = total;
    this.whole = whole;
  }

  /** A row, if it is here. */
  row(i: number): Row | undefined {
    return this.kept.get(Math.floor(i / this.size))?.[i % this.size];
  }

  /** Whether all rows may be here at once. */
  get fits(): boolean {
    return this.whole && Math.ceil(this.total / this.size) <= this.keep;
  }

  /** Says which rows are looked at, from first up to before end: those are fetched, and others no longer. */
  look(first: number, end: number): void {
    const from = Math.floor(Math.max(first, 0) / this.size);
    const to = Math.floor((Math.min(end, this.total) - 1) / this.size);
    this.wanted = [];
    for (let p = from; p <= to; p++) {
      const rows = this.kept.get(p);
      if (rows && !this.early.has(p)) {
        this.kept.delete(p); // behind all others: used now
        this.kept.set(p, rows);
      } else if (!this.asked.has(p)) this.wanted.push(p);
    }
    for (const [p, abort] of this.asked) if (p < from - 1 || p > to + 1) abort.abort();
    this.next();
  }

  /** Fetches rows that need not be looked at, to copy or draw them. At most as many as are kept. */
  async load(first: number, end: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let at = first; at < Math.min(end, this.total); ) {
      const p = Math.floor(at / this.size);
      const page = (this.early.has(p) ? undefined : this.kept.get(p)) ?? (await this.page(p, new AbortController()));
      const upTo = Math.min(end, (p + 1) * this.size, p * this.size + page.length);
      rows.push(...page.slice(at - p * this.size, upTo - p * this.size));
      if (upTo <= at) break; // the result is shorter than was said
      at = upTo;
    }
    return rows;
  }

  /** Ends all fetches. */
  close(): void {
    this.wanted = [];
    for (const abort of this.asked.values()) abort.abort();
  }

  private next(): void {
    while (this.wanted.length > 0 && this.asked.size < Pages.parallel && this.failed < 5) {
      const p = this.wanted.shift() as number;
      const abort = new AbortController();
      this.asked.set(p, abort);
      this.page(p, abort)
        .then(
          () => this.changed(),
          (error: unknown) => {
            if (!aborted(error)) {
              this.failed++;
              this.changed(error);
            }
          },
        )
        .finally(() => this.next());
    }
  }

  private async page(p: number, abort: AbortController): Promise<Row[]> {
    try {
      const rows: Row[] = [];
      const whole = this.whole;
      const offset = p * this.size;
      do {
        // the server gives fewer rows at once where they are large
        const got = await this.fetch(offset + rows.length, this.size - rows.length, abort.signal);
        if (whole === this.whole) this.total = got.total; // the answer may be of before the result was whole
        rows.push(...got.rows);
        if (got.rows.length === 0) break;
      } while (rows.length < Math.min(this.size, this.total - offset));
      this.failed = 0;
      this.kept.set(p, rows);
      if (whole === this.whole) this.early.delete(p);
      for (const old of this.kept.keys()) {
        if (this.kept.size <= this.keep) break;
        this.kept.delete(old);
      }
      return rows;
    } finally {
      if (this.asked.get(p) === abort) this.asked.delete(p);
    }
  }
}

export const aborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
