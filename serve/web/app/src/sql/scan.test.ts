import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scan } from './scan';

type Case = { dialect: string; sql: string; tokens: string[][] };

/** The cases of the server's lexer, from the root of the repository. */
const cases: Case[] = JSON.parse(readFileSync(new URL('../../../../../sql/lexer/testdata/tokens.json', import.meta.url), 'utf8'));

test('tokens equal the server’s for a draft', () => {
  const drafts = cases.filter(c => c.dialect === 'either');
  expect(drafts.length).toBeGreaterThan(50);
  for (const c of drafts) {
    expect(
      scan(c.sql).map(t => [t.kind, t.text, ...(t.open ? ['open'] : [])]),
      c.sql,
    ).toEqual(c.tokens);
  }
});
