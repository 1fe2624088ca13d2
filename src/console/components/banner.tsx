import type { ComponentChildren } from 'preact';
import type { Trouble } from '../api/request-error.ts';

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

/** What went wrong, and what to do: ask again where that helps. Nothing where nothing went wrong. */
export function TroubleNotice({
  trouble,
  onRetry,
}: {
  readonly trouble: Trouble | undefined;
  readonly onRetry?: () => void;
}) {
  if (trouble === undefined) return null;
  return (
    <Notice kind="error">
      <p>{trouble.message}</p>
      {trouble.requestId !== null && <p class="quiet small">Request {trouble.requestId}</p>}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Notice>
  );
}
