import { useLocation } from 'preact-iso';
import { Router, Route, lazy } from 'preact-iso';
import { pausedRequests } from './api/session-ended.ts';
import { session } from './api/session.ts';
import { Toasts } from './components/toast.tsx';
import { SignInAgain } from './pages/sign-in/sign-in-again.tsx';
import { NotFound } from './pages/not-found.tsx';
import { pages } from './pages.ts';
import { Navigation } from './navigation.tsx';

const routes = pages.map(({ path, load }) => ({ path, component: lazy(load) }));

/** Frame of every page: navigation, content and toasts. */
export function Shell() {
  const { path } = useLocation();
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Navigation path={path} />
      <main id="main" tabIndex={-1}>
        <Router>
          {routes.map(({ path: pattern, component }) => (
            <Route key={pattern} path={pattern} component={component} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </main>
      <Toasts />
      {pausedRequests.value.length > 0 && session.value?.user !== null && <SignInAgain />}
    </>
  );
}
