import { useEffect } from 'preact/hooks';
import { recheckSession } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Sign-in dialog over a page whose session ended. The page keeps its state and continues after the sign-in. */
export function SignInAgain() {
  useEffect(() => {
    const check = () => void recheckSession();
    addEventListener('focus', check);
    return () => removeEventListener('focus', check);
  }, []);
  return (
    <Dialog title="Session expired" onClose={null}>
      <p>Sign in to continue. Your input is kept.</p>
      <SignInForm />
      <p class="hint">Or use a sign-in link in another tab, then return here.</p>
    </Dialog>
  );
}
