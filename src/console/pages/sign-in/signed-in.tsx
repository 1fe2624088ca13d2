import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { session } from '../../api/session.ts';

/**
 * Address of a sign-in link with a session: leads to the start page, or to the choice of a password, so that neither the address bar nor
 * the history keeps the secret.
 */
export function SignedIn() {
  const { route } = useLocation();
  useEffect(() => {
    const user = session.value?.user;
    const isFirst = user?.signed_in_by === 'link' && !user.has_password;
    route(isFirst ? '/sign-in/password' : '/', true);
  }, []);
  return null;
}
