import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../../../..');

export const admin = { name: 'admin', password: 'correct horse battery' };
export const from = '20180301';
export const to = '20180303';

// Running is a pingmill serve with some days of pings in its tables.
export interface Running {
  url: string;
  edge: string; // where submissions go
  link: string; // that signs the administrator in, once
  bin: string; // the program
  stop: () => Promise<void>;
}

// program is E2E_BIN, or the program built from the sources, with the pages in serve/web/dist.
function program(dir: string): string {
  const bin = process.env.E2E_BIN;
  if (bin) {
    return resolve(bin);
  }
  const built = join(dir, 'pingmill');
  must(
    spawnSync('go', ['build', '-ldflags', '-s -w', '-o', built, './cmd/pingmill'], { cwd: root, encoding: 'utf8' }),
    'go build',
  );
  return built;
}

function must(r: { status: number | null; stderr: string; error?: Error }, what: string): void {
  if (r.status !== 0) {
    throw new Error(`${what}: ${r.error?.message ?? r.stderr.slice(-2000)}`);
  }
}

// start makes an installation in a temporary folder and serves it on ports of its own. The administrator has a password.
export async function start(): Promise<Running> {
  // What tests send is not archived while they run, so the page of what arrived stays the same.
  const running = await serve(['--archive-every', '1h'], dir => {
    const bin = program(dir);
    const run = (...args: string[]) => must(spawnSync(bin, args, { cwd: dir, encoding: 'utf8' }), `pingmill ${args[0]}`);
    run('generate', '--clients', '200', '--days', '3', '--mean-bytes', '20000', '--output', 'pings.ndjson');
    run('load', 'pings.ndjson', '--data', 'data');
    run('run', 'all', '--data', 'data', '--from', from, '--to', to);
    return bin;
  });
  await setPassword(running.url, running.link);
  return running;
}

// startEmpty serves an empty folder with the program of start. Nobody has signed in.
export const startEmpty = (bin: string, ...more: string[]): Promise<Running> => serve(more, () => bin);

// serve serves a temporary folder that prepare has filled; prepare returns the program.
async function serve(more: string[] = [], prepare: (dir: string) => string): Promise<Running> {
  const dir = mkdtempSync(join(tmpdir(), 'pingmill-e2e-'));
  let process: ChildProcess | undefined;
  const stop = async () => {
    if (process && process.exitCode === null) {
      const ended = new Promise(done => process?.once('exit', done));
      process.kill('SIGTERM');
      await ended;
    }
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    if (!existsSync(join(root, 'serve/web/dist/assets'))) {
      throw new Error('serve/web/dist has no pages: run make web');
    }
    const bin = prepare(dir);
    process = spawn(bin, [...settings, ...more], { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
    return { ...(await ready(process)), bin, stop };
  } catch (e) {
    await stop();
    throw e;
  }
}

const settings = [
  'serve',
  '--data',
  'data',
  '--listen',
  '127.0.0.1:0',
  '--web',
  '127.0.0.1:0',
  '--private',
  '127.0.0.1:0',
  '--schedule=false',
  ...['--webhook-host', 'hook.example.org'],
  ...['--mail-server', '127.0.0.1:1', '--mail-from', 'pingmill@example.org', '--mail-domain', 'example.org', '--mail-rows'],
];

// ready reads from the log where the service listens, and the first link.
function ready(p: ChildProcess): Promise<{ url: string; edge: string; link: string }> {
  return new Promise((done, failed) => {
    let text = '';
    let link = '';
    const timer = setTimeout(() => failed(new Error(`pingmill serve is not ready after 20 s:\n${text}`)), 20_000);
    p.once('exit', () => failed(new Error(`pingmill serve ended:\n${text}`)));
    p.stderr?.on('data', (b: Buffer) => {
      text += b;
      for (const line of text.split('\n').filter(l => l.startsWith('{') && l.endsWith('}'))) {
        const entry = JSON.parse(line) as Record<string, string>;
        link = entry.link ?? link;
        if (entry.web && entry.address && link) {
          clearTimeout(timer);
          text = text.slice(-10_000);
          done({ url: `http://${entry.web}`, edge: `http://${entry.address}`, link });
          return;
        }
      }
    });
  });
}

async function setPassword(url: string, link: string): Promise<void> {
  const s = await send(url, 'POST', '/session/link', { token: link.split('#')[1] });
  await send(url, 'PUT', '/session/password', { new: admin.password }, s);
}

export interface Signed {
  cookie: string;
  csrf: string;
}

// send asks the API outside of a browser; what a session needs goes with it.
export async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  s?: Signed,
): Promise<Signed & { body: unknown }> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (s) {
    headers.Cookie = s.cookie;
    headers['X-CSRF-Token'] = s.csrf;
  }
  const r = await fetch(`${url}/api/v1${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await r.text();
  if (!r.ok) {
    throw new Error(`${method} ${path}: ${r.status} ${text}`);
  }
  const answer = text ? JSON.parse(text) : undefined;
  return {
    cookie: r.headers.get('Set-Cookie')?.split(';')[0] ?? s?.cookie ?? '',
    csrf: answer?.csrf ?? s?.csrf ?? '',
    body: answer,
  };
}
