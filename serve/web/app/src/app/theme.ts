import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const key = 'theme';
const system = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : undefined;
const systemDark = signal(system?.matches ?? false);
system?.addEventListener('change', e => {
  systemDark.value = e.matches;
});

const known = (t: string | null): Theme => (t === 'light' || t === 'dark' ? t : 'system');

// theme is the chosen theme; dark tells charts whether pages are dark now.
export const theme = signal<Theme>(known(typeof localStorage === 'undefined' ? null : localStorage.getItem(key)));
export const dark = signal(false);

export function startTheme(): void {
  effect(() => {
    dark.value = theme.value === 'system' ? systemDark.value : theme.value === 'dark';
    document.documentElement.dataset.theme = dark.value ? 'dark' : 'light';
    if (theme.value === 'system') {
      localStorage.removeItem(key);
    } else {
      localStorage.setItem(key, theme.value);
    }
  });
}
