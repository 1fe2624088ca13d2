import type { ComponentChildren } from 'preact';
import type { RequestError } from '../api/request-error.ts';

/** Banner beside its subject. Screen readers announce an error at once. */
export function Banner({
  kind = 'info',
  title,
  children,
}: {
  readonly kind?: 'info' | 'good' | 'warning' | 'error';
  readonly title?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class={`banner banner-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {title !== undefined && <p class="banner-title">{title}</p>}
      {children}
    </div>
  );
}

/** Banner for an error, with its remedy and a retry where that helps. Empty without an error. */
export function ErrorBanner({
  error,
  onRetry,
}: {
  readonly error: RequestError | undefined;
  readonly onRetry?: () => void;
}) {
  if (error === undefined) return null;
  return (
    <Banner kind="error">
      <p>{error.message}</p>
      {error.requestId !== null && <p class="quiet small">Request {error.requestId}</p>}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Banner>
  );
}
