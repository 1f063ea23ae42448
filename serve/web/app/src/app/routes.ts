import {
  Activity,
  Bookmark,
  BookOpen,
  CalendarDays,
  ChartLine,
  CircleUser,
  type IconNode,
  LayoutDashboard,
  Radio,
  ScanSearch,
  Send,
  SquareTerminal,
  Users,
} from 'lucide';
import type { AnyComponent } from 'preact';
import { lazy } from 'preact-iso';
import type { Right } from './session';

export interface Page {
  path: string; // preact-iso's: :name? may be missing
  title: string;
  icon?: IconNode; // pages with one are in the navigation
  key?: string; // g and this key go there
  foot?: boolean; // at the end of the navigation
  right?: Right;
  docs?: string; // page of the documentation, and its heading
  open?: boolean; // also for who has not signed in; without the navigation
  bare?: boolean; // without the navigation
  component: AnyComponent;
}

type Loader = () => Promise<{ default: AnyComponent }>;

const page = (p: Omit<Page, 'component'>, load: Loader): Page => ({ ...p, component: lazy(load) });

// pages are all pages, in the order of the navigation. Each is loaded when it is first shown.
export const pages: Page[] = [
  page({ path: '/query/:id?', title: 'Query', docs: 'query', icon: SquareTerminal, key: 'q' }, () => import('../pages/query')),
  page({ path: '/saved/:id?', title: 'Saved', docs: 'saved-queries', icon: Bookmark, key: 's' }, () => import('../pages/saved')),
  page(
    { path: '/dashboards/:id?/:view?', title: 'Dashboards', docs: 'dashboards', icon: LayoutDashboard, key: 'b' },
    () => import('../pages/dashboards'),
  ),
  page({ path: '/wall/:id?', title: 'Wall', bare: true }, () => import('../pages/wall')),
  page(
    { path: '/catalog/:table?', title: 'Catalog', docs: 'query-tool#catalog', icon: BookOpen, key: 'c' },
    () => import('../pages/catalog'),
  ),
  page(
    { path: '/metrics/:table?/:column?', title: 'Metrics', docs: 'query-tool#metrics', icon: ChartLine, key: 'm' },
    () => import('../pages/metrics'),
  ),
  page(
    { path: '/jobs/:run?', title: 'Jobs', docs: 'query-tool#jobs', icon: CalendarDays, key: 'j' },
    () => import('../pages/jobs'),
  ),
  page(
    { path: '/quality/:table?', title: 'Quality', docs: 'quality', icon: Activity, key: 'u' },
    () => import('../pages/quality'),
  ),
  page(
    { path: '/ingestion', title: 'Ingestion', docs: 'query-tool#ingestion', icon: Radio, key: 'i' },
    () => import('../pages/ingestion'),
  ),
  page(
    { path: '/pings', title: 'Pings', docs: 'query-tool#pings', icon: ScanSearch, key: 'd', right: 'operate' },
    () => import('../pages/pings'),
  ),
  page(
    { path: '/people/:id?', title: 'People', docs: 'access', icon: Users, key: 'p', right: 'administer' },
    () => import('../pages/people'),
  ),
  page(
    { path: '/start', title: 'Send pings', docs: 'query-tool#send-pings', icon: Send, foot: true, right: 'operate' },
    () => import('../pages/start'),
  ),
  page(
    { path: '/account', title: 'Account', docs: 'access#tokens', icon: CircleUser, key: 'a', foot: true },
    () => import('../pages/account'),
  ),
  page({ path: '/signin', title: 'Sign in', open: true }, () => import('../pages/signin')),
  page({ path: '/link', title: 'Sign in', open: true }, () => import('../pages/link')),
];

// base is the address of a page without what may follow.
export const base = (p: Page): string => p.path.replace(/\/:.*/, '');

export const pageAt = (path: string): Page | undefined => pages.find(p => path === base(p) || path.startsWith(`${base(p)}/`));
