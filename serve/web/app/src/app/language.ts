const known = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
};

/**
 * Makes the language of the browser one that Intl knows, for the library of the charts. With LANG=C some browsers name
 * en-US@posix.
 */
export function startLanguage(of: { readonly language: string } = navigator): void {
  if (known(of.language)) {
    return;
  }
  const plain = of.language.split('@')[0] ?? '';
  Object.defineProperty(of, 'language', { value: known(plain) ? plain : 'en-GB', configurable: true });
}
