import { session, stopViewing } from './api/session.ts';
import { useAction } from './api/use-action.ts';
import { ErrorBanner } from './components/banner.tsx';

/** Band above every page while an operator views another account. */
export function ViewedAccount() {
  const viewed = session.value?.user?.viewed_account ?? null;
  const stop = useAction(async () => {
    if (viewed !== null) await stopViewing(viewed);
  });
  if (viewed === null) return null;
  return (
    <aside class="viewed banner banner-warning" aria-label="Viewed account">
      <p>
        Viewing account <strong>{viewed}</strong>, read-only.
      </p>
      <button type="button" disabled={stop.isRunning} onClick={() => stop.run()}>
        Stop
      </button>
      <ErrorBanner error={stop.error} />
    </aside>
  );
}
