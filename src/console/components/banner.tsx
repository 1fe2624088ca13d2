import type { ComponentChildren } from 'preact';
import { isUnreachable, type RequestError } from '../api/request-error.ts';

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

/**
 * Banner for an error, with its remedy and a retry where that helps. Empty without an error. What can be retried repeats by itself once an
 * unavailable server is back, so that its banner is no alert.
 */
export function ErrorBanner({
  error,
  onRetry,
}: {
  readonly error: RequestError | undefined;
  readonly onRetry?: () => void;
}) {
  if (error === undefined) return null;
  if (onRetry !== undefined && isUnreachable(error)) {
    return (
      <Banner kind="warning" title="The server cannot be reached">
        <p>Your data is safe. This loads by itself once the connection is back.</p>
      </Banner>
    );
  }
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
