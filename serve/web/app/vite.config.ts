import preact from '@preact/preset-vite';
import { defineConfig } from 'vitest/config';
import { world } from './scripts/world.mjs';

// WEB_PORT is where a pingmill serve listens, for npm run dev.
const server = `http://127.0.0.1:${process.env.WEB_PORT ?? '8090'}`;

export default defineConfig({
  plugins: [preact({ prerender: { enabled: false } }), world()],
  build: {
    outDir: process.env.WEB_DIST ?? '../dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // data: addresses are not in the content security policy
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'manifest.json', // which chunks a page loads first: the check of sizes reads it
    chunkSizeWarningLimit: 450,
  },
  server: { port: 9140, proxy: { '/api': server, '/auth': server } },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'], environment: 'node', testTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          globalSetup: 'e2e/harness/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 30_000,
          fileParallelism: true,
          maxWorkers: 2,
        },
      },
      { extends: true, test: { name: 'site', include: ['site/*.spec.ts'], testTimeout: 60_000 } },
    ],
  },
});
