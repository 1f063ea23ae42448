import { useLocation } from 'preact-iso';

// within is an address of these pages, whatever stood in the link that brought somebody here.
export function within(next: string | undefined): string {
  return next && /^\/(?![/\\])/.test(next) && !/^\/(signin|link)\b/.test(next) ? next : '/';
}

// useGoOn goes to where somebody wanted to be before signing in.
export function useGoOn(next?: string): () => void {
  const { route } = useLocation();
  return () => route(within(next), true);
}
