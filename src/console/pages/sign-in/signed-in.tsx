import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/** Address of a sign-in link with a session: leads to the start page, so that neither the address bar nor the history keeps the secret. */
export function SignedIn() {
  const { route } = useLocation();
  useEffect(() => route('/', true), []);
  return null;
}
