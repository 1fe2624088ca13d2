import { useEffect } from 'preact/hooks';
import { checkAgain } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Over a page whose session has ended: it stays as it is, and goes on once one has signed in. */
export function SignInAgain() {
  useEffect(() => {
    const check = () => void checkAgain();
    addEventListener('focus', check);
    return () => removeEventListener('focus', check);
  }, []);
  return (
    <Dialog title="Your session has ended" onClose={null}>
      <p>Sign in again to go on. What you have entered is still there.</p>
      <SignInForm />
      <p class="hint">Or sign in by a link in another tab, and come back here.</p>
    </Dialog>
  );
}
