import type { ComponentChildren } from 'preact';
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

/** Banner above outdated data. */
function Stale({ asOf }: { readonly asOf: Date }) {
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
