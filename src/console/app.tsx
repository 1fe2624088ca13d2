import { LocationProvider } from 'preact-iso';
import { readSession, session } from './api/session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './pages/sign-in/sign-in.tsx';

/** Matches the paths that the console routes itself. The browser opens all others, such as downloads and documents. */
const consolePaths = /^\/(?!v1\/|docs|errors\/|openapi\.json|operator\/queues)/;

/** The console: its pages with a session, else the sign-in page. */
export function App() {
  if (session.value === undefined) {
    void readSession();
    return null;
  }
  return (
    <LocationProvider scope={consolePaths}>
      {session.value.user === null ? <SignIn /> : <Shell />}
    </LocationProvider>
  );
}
