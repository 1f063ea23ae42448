// Problem is an error as the API states it (RFC 9457); errors of SQL say where they are, too.
export interface Problem {
  type?: string;
  title?: string;
  status: number;
  detail?: string;
  errors?: { message?: string; location?: string }[];
  kind?: string;
  message?: string;
  hint?: string;
  line?: number;
  column?: number;
  text?: string;
  add?: { sql: string; what: string }[]; // conditions, one of which is enough
}

export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problemText(problem));
    this.name = 'ApiError';
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }
}

// problemText returns the text of a problem for people.
export function problemText(p: Problem): string {
  const details = (p.errors ?? []).map(e => [e.location, e.message].filter(Boolean).join(': ')).filter(Boolean);
  const text = p.detail || p.message || p.title || `The server answered with status ${p.status}.`;
  return details.length > 0 ? `${text}: ${details.join('; ')}` : text;
}

// errorText returns the text of any thrown value for people.
export function errorText(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}

export const isAbort = (e: unknown): boolean => e instanceof DOMException && e.name === 'AbortError';

// problemOf reads an answer that is not a success; a proxy in between may answer with anything.
export async function problemOf(r: Response): Promise<Problem> {
  const type = r.headers.get('Content-Type') ?? '';
  if (type.includes('json')) {
    try {
      const body: unknown = await r.json();
      if (body !== null && typeof body === 'object') {
        return { ...(body as object), status: r.status };
      }
    } catch {
      // as if there were no document
    }
  }
  return { status: r.status, title: r.statusText || undefined };
}
