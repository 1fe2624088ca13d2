import type { ComponentChildren } from 'preact';
import type { Failure } from '../api/request-error.ts';

/** Something that has to be said beside what it is about. An error is told to screen readers at once. */
export function Notice({
  kind = 'info',
  title,
  children,
}: {
  readonly kind?: 'info' | 'good' | 'warning' | 'error';
  readonly title?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}

/** Banner for an error, with its remedy and a retry where that helps. Empty without an error. */
export function ErrorBanner({
  failure,
  onRetry,
}: {
  readonly failure: Failure | undefined;
  readonly onRetry?: () => void;
}) {
  if (failure === undefined) return null;
  return (
    <Notice kind="error">
      <p>{failure.message}</p>
      {failure.requestId !== null && <p class="quiet small">Request {failure.requestId}</p>}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Notice>
  );
}
