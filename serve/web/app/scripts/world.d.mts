import type { Plugin } from 'vite';

export function world(): Plugin;
