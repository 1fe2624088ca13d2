import type { ComponentChildren } from 'preact';
import { isServerLost } from '../api/live/account-events.ts';
import type { Loaded } from '../api/use-load.ts';
import { isUnreachable } from '../api/request-error.ts';
import { formatClock } from './format.ts';
import { Banner, ErrorBanner } from './banner.tsx';

/** Shows data once it is loaded; until then a loading indicator, or the error. */
export function WhenLoaded<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, error, asOf, reload } = loaded;
  return (
    <>
      {error !== undefined && asOf !== null && isUnreachable(error) ? (
        <Stale asOf={asOf} />
      ) : (
        <ErrorBanner error={error} onRetry={reload} />
      )}
      {data === undefined ? error === undefined && <Loading /> : children(data)}
    </>
  );
}

/** Time of outdated data; with its reason, unless a bar above the page has it. */
function Stale({ asOf }: { readonly asOf: Date }) {
  if (isServerLost.value) return <p class="quiet small">Data from {formatClock(asOf)}</p>;
  return (
    <Banner kind="warning" title="The server cannot be reached">
      <p>
        This page shows data from {formatClock(asOf)}. Your data is safe. The page reconnects automatically.
      </p>
    </Banner>
  );
}

/** Loading indicator. */
export function Loading() {
  return (
    <p class="loading" role="status">
      Loading …
    </p>
  );
}
