// Checks that serve/web/dist is what the sources build, byte for byte, and that the first load of every page is small enough.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const limit = 300_000; // bytes of a page's first load, compressed
const committed = new URL('../../dist/', import.meta.url).pathname;

const dist = mkdtempSync(join(tmpdir(), 'pingmill-dist-'));
let failed = false;
const fail = text => {
  failed = true;
  process.stderr.write(`${text}\n`);
};

try {
  const built = spawnSync('npm', ['run', '--silent', 'build', '--', '--logLevel', 'error'], {
    env: { ...process.env, WEB_DIST: dist },
    stdio: 'inherit',
  });
  if (built.status !== 0) {
    process.exit(1);
  }
  compare();
  for (const [page, size] of firstLoads()) {
    process.stdout.write(`${page}: ${Math.round(size / 1000)} kB\n`);
    if (size > limit) {
      fail(`${page} loads ${size} bytes first, compressed: at most ${limit}`);
    }
  }
} finally {
  rmSync(dist, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

function files(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(e => e.isFile())
    .map(e => relative(dir, join(e.parentPath, e.name)))
    .sort();
}

function compare() {
  const [want, have] = [files(dist), files(committed)];
  const other = new Set([...want, ...have]);
  for (const f of want) {
    if (have.includes(f) && readFileSync(join(dist, f)).equals(readFileSync(join(committed, f)))) {
      other.delete(f);
    }
  }
  if (other.size > 0) {
    fail(`serve/web/dist is not what serve/web/app builds (${[...other].slice(0, 5).join(', ')}): run make web`);
  }
}

// firstLoads are the bytes that each page needs before it shows anything: the index, the entry and the page with what they
// import, their styles and fonts.
function firstLoads() {
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'));
  const size = file => {
    const bytes = readFileSync(join(dist, file));
    return file.endsWith('.woff2') ? bytes.length : gzipSync(bytes, { level: 9 }).length;
  };
  const closure = (key, all = new Set()) => {
    const chunk = manifest[key];
    if (!all.has(chunk.file)) {
      for (const f of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) {
        all.add(f);
      }
      for (const i of chunk.imports ?? []) {
        closure(i, all);
      }
    }
    return all;
  };
  return Object.keys(manifest)
    .filter(key => /^src\/pages\/\w+\/index\.tsx$/.test(key))
    .map(key => {
      const all = closure(key, closure('index.html'));
      all.add('index.html');
      return [key.split('/')[2], [...all].reduce((sum, f) => sum + size(f), 0)];
    });
}
