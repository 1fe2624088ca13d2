import type { ComponentType } from 'preact';
import { Router, Route, useLocation } from 'preact-iso';
import { useAccountEvents } from './api/live/account-events.ts';
import { pausedRequests } from './api/session-ended.ts';
import { can, session } from './api/session.ts';
import { ConnectionBar } from './components/connection-bar.tsx';
import { Toasts } from './components/toast.tsx';
import { NoPermission } from './pages/no-permission.tsx';
import { SignInAgain } from './pages/sign-in/sign-in-again.tsx';
import { NotFound } from './pages/not-found.tsx';
import { pages, type ConsolePage } from './pages.ts';
import { Navigation } from './navigation.tsx';
import { ViewedAccount } from './viewed-account.tsx';

const routes = pages.map((page) => ({ path: page.path, component: createRoute(page) }));

/** Frame of every page: navigation, content and toasts. */
export function Shell() {
  const { path } = useLocation();
  useAccountEvents();
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <ConnectionBar />
      <ViewedAccount />
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

/** Creates the component of a route: the page, or for users without its permission an explanation. */
function createRoute({ content: Content, needs, subject = '' }: ConsolePage): ComponentType {
  if (needs === undefined) return Content;
  return () => (can(needs) ? <Content /> : <NoPermission subject={subject} needs={needs} />);
}
