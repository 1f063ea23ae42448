// The site of the documentation in a browser: run by make site-test, after make site.
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axe } from '../e2e/harness/axe';
import { findChromium } from '../e2e/harness/chromium';

const site = resolve(import.meta.dirname, '../../../../dist/site');
const version = process.env.SITE_VERSION ?? 'dev';
const shots = process.env.SITE_SHOTS;

const kinds: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.xml': 'text/xml',
};

const looks = [
  { name: 'wide-light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: { width: 390, height: 800 }, colorScheme: 'dark' },
  { name: 'wide-dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'narrow-light', viewport: { width: 390, height: 800 }, colorScheme: 'light' },
] as const;

function pagesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? pagesBelow(path) : path.endsWith('.html') ? [path.slice(site.length + 1)] : [];
  });
}

let server: Server;
let browser: Browser;
let url: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = join(site, decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname));
    try {
      const content = await readFile(path);
      response.setHeader('Content-Type', kinds[extname(path)] ?? 'application/octet-stream').end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>(done => {
    server.listen(0, '127.0.0.1', done);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--force-color-profile=srgb'] });
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

// visit opens a page and returns it with what must not happen: errors, missing files, requests to elsewhere.
async function visit(address: string, o: BrowserContextOptions): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ ...o, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', e => problems.push(e.stack ?? e.message));
  page.on('request', r => {
    if (!r.url().startsWith(url) && !r.url().startsWith('file:') && !r.url().startsWith('blob:')) {
      problems.push(`asks ${r.url()}`);
    }
  });
  page.on('response', r => {
    if (r.status() >= 400) {
      problems.push(`${r.url()}: ${r.status()}`);
    }
  });
  await page.goto(address, { waitUntil: 'load' });
  return { page, problems };
}

const search = async (page: Page) => {
  await page.keyboard.press('/');
  await page.keyboard.type('acknowledged');
  await page.locator('.md-search-result__link').first().waitFor({ timeout: 20_000 });
  return page.locator('.md-search-result__link').count();
};

for (const look of looks.slice(0, shots ? 4 : 2)) {
  for (const name of pagesBelow(join(site, version))) {
    test(`${name} ${look.name}`, async () => {
      const { page, problems } = await visit(`${url}/${name}`, look);
      try {
        await page.locator('h1').first().waitFor({ state: 'attached' });
        if (shots) {
          await page.screenshot({ path: join(shots, `${name.replace(/\W+/g, '-')}-${look.name}.png`) });
        }
        expect(await axe(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.viewport.width);
        expect(problems).toEqual([]);
      } finally {
        await page.context().close();
      }
    });
  }
}

test('search finds words, and the page names its version', async () => {
  const { page, problems } = await visit(`${url}/${version}/index.html`, looks[0]);
  await page.locator('.md-version__current', { hasText: version }).waitFor();
  expect(await search(page)).toBeGreaterThan(3);
  expect(problems).toEqual([]);
});

test('search needs no web server', async () => {
  const { page } = await visit(pathToFileURL(join(site, version, 'index.html')).href, looks[0]);
  expect(await search(page)).toBeGreaterThan(3);
});

test('the page above leads to the newest version', async () => {
  const { page } = await visit(`${url}/index.html`, looks[0]);
  await page.waitForURL(/\/[^/]+\/index\.html$/);
});
