import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium';
import { start } from './server';

declare module 'vitest' {
  interface ProvidedContext {
    url: string; // of the query tool
    edge: string; // where submissions go
    bin: string; // the program
    browser: string; // by which tests connect to the browser
  }
}

// setup starts one server and one browser for all tests.
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });
  try {
    const server = await start();
    project.provide('url', server.url);
    project.provide('edge', server.edge);
    project.provide('bin', server.bin);
    project.provide('browser', browser.wsEndpoint());
    return async () => {
      await browser.close();
      await server.stop();
    };
  } catch (e) {
    await browser.close();
    throw e;
  }
}
