import { useEffect } from 'preact/hooks';

// useTab writes a title into the browser's tab. failing is the number of widgets that fail: the title begins with it, and the icon changes.
export function useTab(title: string, failing: number): void {
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    document.title = `${failing > 0 ? `(${failing} failed) ` : ''}${title} · pingmill`;
    icon?.setAttribute('href', failing > 0 ? '/icon-bad.svg' : '/icon.svg');
    return () => icon?.setAttribute('href', '/icon.svg');
  }, [title, failing]);
}
