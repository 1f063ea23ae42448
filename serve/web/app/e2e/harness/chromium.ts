import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

// findChromium returns the browser of E2E_CHROMIUM or of the PATH, where make puts the one that it fetches.
export function findChromium(): string {
  const found = process.env.E2E_CHROMIUM ?? inPath();
  if (!found) {
    throw new Error(
      `Chromium is missing, which the tests of the pages drive: run them by make web-test, which fetches it, or set E2E_CHROMIUM. Looked for ${names.join(', ')} in PATH.`,
    );
  }
  return found;
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
