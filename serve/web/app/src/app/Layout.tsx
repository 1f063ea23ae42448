import { signal } from '@preact/signals';
import { CircleQuestionMark, Keyboard, LogOut, Menu as MenuIcon, Moon, PanelLeftClose, PanelLeftOpen, Sun } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { errorText } from '../api/errors';
import { IconButton, showShortcuts, toast, useShortcut } from '../ui';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { Brand } from './Brand';
import { base, type Page, pageAt, pages } from './routes';
import { docsOf, may, person, signOut } from './session';
import { dark, theme } from './theme';

const narrow = signal(localStorage.getItem('rail') === 'narrow');
const toggleRail = () => {
  narrow.value = !narrow.value;
  localStorage.setItem('rail', narrow.value ? 'narrow' : 'wide');
};

const NavItem = ({ page, here, onGo }: { page: Page; here: boolean; onGo?: () => void }) => (
  <a
    class="nav-item"
    href={base(page)}
    aria-current={here ? 'page' : undefined}
    onClick={onGo}
    title={narrow.value ? page.title : undefined}
    aria-label={page.title}
  >
    {page.icon && <Icon of={page.icon} size={18} />}
    <span class="nav-text">{page.title}</span>
  </a>
);

const signOutNow = () => signOut().catch(e => toast(errorText(e), { bad: true }));

// Navigation lists the pages that the person may see.
function Navigation({ onGo }: { onGo?: () => void }) {
  const here = pageAt(useLocation().path);
  const seen = pages.filter(p => p.icon && (!p.right || may(p.right)));
  const switchTheme = () => {
    theme.value = dark.value ? 'light' : 'dark';
  };
  const keys = () => {
    onGo?.();
    showShortcuts();
  };
  return (
    <>
      <nav aria-label="Pages">
        {seen
          .filter(p => !p.foot)
          .map(p => (
            <NavItem key={p.path} page={p} here={p === here} onGo={onGo} />
          ))}
      </nav>
      <div class="rail-foot">
        <button type="button" class="nav-item" onClick={switchTheme} aria-label={dark.value ? 'Light colours' : 'Dark colours'}>
          <Icon of={dark.value ? Sun : Moon} size={18} />
          <span class="nav-text">{dark.value ? 'Light' : 'Dark'}</span>
        </button>
        {here?.docs && docsOf(here.docs) && (
          <a
            class="nav-item"
            href={docsOf(here.docs)}
            target="_blank"
            rel="noopener"
            aria-label={`Documentation of ${here.title}`}
          >
            <Icon of={CircleQuestionMark} size={18} />
            <span class="nav-text">Documentation</span>
          </a>
        )}
        <button type="button" class="nav-item" onClick={keys} aria-label="Keys">
          <Icon of={Keyboard} size={18} />
          <span class="nav-text">Keys</span>
        </button>
        {seen
          .filter(p => p.foot)
          .map(p => (
            <NavItem
              key={p.path}
              page={p.path === '/account' ? { ...p, title: person.value?.name ?? p.title } : p}
              here={p === here}
              onGo={onGo}
            />
          ))}
        <button type="button" class="nav-item" onClick={signOutNow} aria-label="Sign out">
          <Icon of={LogOut} size={18} />
          <span class="nav-text">Sign out</span>
        </button>
      </div>
    </>
  );
}

function GoKey({ page }: { page: Page }) {
  const { route } = useLocation();
  useShortcut(`g ${page.key}`, page.title, () => route(base(page)), { group: 'Go to' });
  return null;
}

// Layout has the navigation beside a page, on narrow screens behind a button above it.
export function Layout({ children }: { children: ComponentChildren }) {
  const [drawer, setDrawer] = useState(false);
  const { path } = useLocation();
  const page = pageAt(path);
  useEffect(() => {
    document.title = page ? `${page.title} · pingmill` : 'pingmill';
  }, [page]);
  return (
    <div class={`shell${narrow.value ? ' shell-narrow' : ''}`}>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      {pages
        .filter(p => p.key && (!p.right || may(p.right)))
        .map(p => (
          <GoKey key={p.path} page={p} />
        ))}
      <div class="rail">
        <div class="row">
          <Brand />
        </div>
        <Navigation />
        <IconButton
          label={narrow.value ? 'Wide navigation' : 'Narrow navigation'}
          icon={narrow.value ? PanelLeftOpen : PanelLeftClose}
          small
          onClick={toggleRail}
        />
      </div>
      <header class="topbar">
        <IconButton label="Navigation" icon={MenuIcon} onClick={() => setDrawer(true)} />
        <span class="topbar-title">{page?.title}</span>
      </header>
      {drawer && (
        <Dialog title="pingmill" drawer onClose={() => setDrawer(false)}>
          <div class="stack">
            <Navigation onGo={() => setDrawer(false)} />
          </div>
        </Dialog>
      )}
      <main class="main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
