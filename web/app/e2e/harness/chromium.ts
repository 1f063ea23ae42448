import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

// findChromium is the browser of E2E_CHROMIUM or of the PATH. On a Debian whose root we are it is installed if missing.
export function findChromium(): string {
  const set = process.env.E2E_CHROMIUM;
  if (set) {
    return set;
  }
  const found = inPath();
  if (found) {
    return found;
  }
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    process.stderr.write('Chromium is missing: installing it with apt-get\n');
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
  const installed = inPath();
  if (!installed) {
    throw new Error(
      `Chromium is missing, which the tests of the pages drive. Install it (Debian: apt-get install chromium), or set E2E_CHROMIUM. Looked for ${names.join(', ')} in PATH.`,
    );
  }
  return installed;
}

function inPath(): string | undefined {
  for (const name of names) {
    for (const dir of (process.env.PATH ?? '').split(delimiter)) {
      try {
        accessSync(join(dir, name), constants.X_OK);
        return join(dir, name);
      } catch {
        // the next one
      }
    }
  }
  return undefined;
}
