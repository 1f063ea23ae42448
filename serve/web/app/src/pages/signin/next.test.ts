import { expect, test } from 'vitest';
import { within } from './next';

test.each([
  [undefined, '/'],
  ['', '/'],
  ['/catalog/main_summary?tab=ddl', '/catalog/main_summary?tab=ddl'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['https://elsewhere.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/signin?next=/signin', '/'],
  ['/link', '/'],
])('from %s one goes on to %s', (next, want) => expect(within(next)).toBe(want));
