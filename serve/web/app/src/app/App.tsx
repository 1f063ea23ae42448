import { Compass, Lock } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { Empty, ErrorBox, LinkButton, Spinner } from '../ui';
import { Shortcuts } from '../ui/shortcuts';
import { Toasts } from '../ui/Toast';
import { Layout } from './Layout';
import { type Page, pageAt, pages } from './routes';
import { loadSession, may, person, session, sessionError } from './session';

export function App() {
  return (
    <LocationProvider>
      <Gate />
      <Shortcuts />
      <Toasts />
    </LocationProvider>
  );
}

// Gate lets through who has signed in, and sends everybody else to do so.
function Gate() {
  const { path, url, route } = useLocation();
  const page = pageAt(path);
  const go =
    !session.value || page?.open
      ? undefined
      : !person.value
        ? `/signin${url === '/' ? '' : `?next=${encodeURIComponent(url)}`}`
        : path === '/'
          ? session.value.empty
            ? '/start'
            : '/query'
          : undefined;
  useEffect(() => {
    if (go) {
      route(go, true);
    }
  }, [go, route]);
  if (sessionError.value) {
    return (
      <main class="centre">
        <ErrorBox error={sessionError.value} retry={loadSession} />
      </main>
    );
  }
  if (!session.value || go) {
    return (
      <div class="centre">
        <Spinner />
      </div>
    );
  }
  return page?.open || page?.bare ? (
    <Pages />
  ) : (
    <Layout>
      <Pages />
    </Layout>
  );
}

function Pages() {
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>();
  return (
    <ErrorBoundary onError={setError}>
      {loading && <div class="load-bar" />}
      {error ? (
        <div class="page">
          <ErrorBox error={error} retry={() => location.reload()} />
        </div>
      ) : (
        <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)}>
          {pages.map(p => (
            <Route key={p.path} path={p.path} component={p.right && !may(p.right) ? Refused : p.component} />
          ))}
          <Route default component={Missing} />
        </Router>
      )}
    </ErrorBoundary>
  );
}

const Refused = () => {
  const page = pageAt(useLocation().path) as Page;
  return (
    <Empty icon={Lock} title={`${page.title} is not for you`}>
      It needs the right to {page.right}. Who administers this server can give it to you.
    </Empty>
  );
};

const Missing = () => (
  <Empty icon={Compass} title="There is no such page" action={<LinkButton href="/query">To the query page</LinkButton>}>
    The address may have been cut short.
  </Empty>
);
