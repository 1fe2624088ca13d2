import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/use-load.ts';
import { isAway } from '../api/request-error.ts';
import { formatClock } from './format.ts';
import { Notice, ErrorBanner } from './banner.tsx';

/** Shows data once it is loaded; until then a note that it is loading, or the error. */
export function WhenThere<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, failure, asOf, reload } = loaded;
  return (
    <>
      {failure !== undefined && asOf !== null && isAway(failure) ? (
        <Stale asOf={asOf} />
      ) : (
        <ErrorBanner failure={failure} onRetry={reload} />
      )}
      {data === undefined ? failure === undefined && <Waiting /> : children(data)}
    </>
  );
}

/** Note that the data shown is from a while ago. */
function Stale({ asOf }: { readonly asOf: Date }) {
  return (
    <Notice kind="warning" title="The server cannot be reached">
      <p>
        What is shown is as of {formatClock(asOf)}. Nothing is lost: the page tries again every few seconds
        and goes on by itself.
      </p>
    </Notice>
  );
}

/** Something is on its way. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      Loading …
    </p>
  );
}
