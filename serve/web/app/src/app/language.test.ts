import { expect, test } from 'vitest';
import { startLanguage } from './language';

test.each([
  ['de-AT', 'de-AT'],
  ['en-US@posix', 'en-US'],
  ['c.utf8!', 'en-GB'],
])('the language %s becomes %s, and numbers have it', (named, kept) => {
  const browser = { language: named };
  startLanguage(browser);
  expect(browser.language).toBe(kept);
  expect(new Intl.NumberFormat(browser.language).format(1)).toBe('1');
});
