import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorBox, Skeleton } from './show';

// late is a component whose code is loaded when it is first shown: late(() => import('./Editor')).
export function late<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Late(props: P) {
    const [, setTurn] = useState(0);
    const [error, setError] = useState<unknown>();
    const drawn = loaded !== undefined; // another one of its kind may load the code before the effect runs
    useEffect(() => {
      if (!drawn) {
        load().then(m => {
          loaded = m.default;
          setTurn(1);
        }, setError);
      }
    }, [drawn]);
    return loaded ? h(loaded, props) : error ? <ErrorBox error={error} /> : <Skeleton />;
  };
}
