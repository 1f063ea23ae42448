import { expect, test } from 'vitest';
import { within } from './next';

test.each([
  [undefined, '/query'],
  ['', '/query'],
  ['/catalog/main_summary?tab=ddl', '/catalog/main_summary?tab=ddl'],
  ['//elsewhere.example', '/query'],
  ['/\\elsewhere.example', '/query'],
  ['https://elsewhere.example', '/query'],
  ['javascript:alert(1)', '/query'],
  ['/signin?next=/signin', '/query'],
  ['/link', '/query'],
])('from %s one goes on to %s', (next, want) => expect(within(next)).toBe(want));
