import { useEffect, useState } from 'preact/hooks';
import { useAction, useLoad } from '../../api/hooks';

interface Page<T> {
  items: T[] | null;
  next?: string;
}

interface Source<T> {
  path: string; // of the page, whose address keeps the choice
  tabs: readonly string[]; // the first one is the default
  list: (f: { of: string; text: string; tag: string; cursor?: string }, signal?: AbortSignal) => Promise<Page<T>>;
  tags: (signal?: AbortSignal) => Promise<{ items: { name: string; count: number }[] | null }>;
  also?: unknown; // another choice that list depends on
}

// useFound finds what people saved by tab, words and tag, page by page.
export function useFound<T>({ path, tabs, list, tags, also }: Source<T>) {
  const address = new URLSearchParams(location.search);
  const [of, setOf] = useState(tabs.find(t => t === address.get('of')) ?? tabs[0] ?? '');
  const [text, setText] = useState(address.get('text') ?? '');
  const [tag, setTag] = useState(address.get('tag') ?? '');
  const [more, setMore] = useState<T[]>([]);
  const [cursor, setCursor] = useState<string>();
  const known = useLoad(async signal => (await tags(signal)).items ?? [], []);
  const first = useLoad(
    async signal => {
      const page = await list({ of, text, tag }, signal);
      setMore([]);
      setCursor(page.next);
      return page.items ?? [];
    },
    [text, tag, of, also],
  );
  useEffect(() => {
    const q = new URLSearchParams(Object.entries({ of: of === tabs[0] ? '' : of, text, tag }).filter(([, v]) => v !== ''));
    history.replaceState(history.state, '', `${path}${q.size > 0 ? `?${q}` : ''}`);
  }, [path, tabs, of, text, tag]);
  const next = useAction(async () => {
    const page = await list({ of, text, tag, cursor });
    setMore([...more, ...(page.items ?? [])]);
    setCursor(page.next);
  });
  const all = [...(first.data ?? []), ...more];
  return { of, setOf, text, setText, tag, setTag, known, first, all, cursor, next };
}

export type FoundState<T> = ReturnType<typeof useFound<T>>;
