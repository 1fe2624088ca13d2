import { LocationProvider } from 'preact-iso';
import { readSession, session } from './api/session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './pages/sign-in/sign-in.tsx';

/** Addresses of the console; all others, such as downloads and documents, are the browser's own to open. */
const ownPages = /^\/(?!v1\/|docs|errors\/|openapi\.json|operator\/queues)/;

/** The whole console: the pages for who is signed in, else the page where one signs in. */
export function App() {
  if (session.value === undefined) {
    void readSession();
    return null;
  }
  return (
    <LocationProvider scope={ownPages}>
      {session.value.user === null ? <SignIn /> : <Shell />}
    </LocationProvider>
  );
}
