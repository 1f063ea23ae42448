import { useState } from 'preact/hooks';

// useKept is a choice of this browser.
export function useKept<T>(name: string, begin: T): [T, (v: T) => void] {
  const [value, setValue] = useState<T>(() => {
    try {
      const text = localStorage.getItem(name);
      return text === null ? begin : (JSON.parse(text) as T);
    } catch {
      return begin;
    }
  });
  const set = (v: T) => {
    setValue(v);
    try {
      localStorage.setItem(name, JSON.stringify(v));
    } catch {
      // it lasts as long as the page
    }
  };
  return [value, set];
}
