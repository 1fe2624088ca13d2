import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/use-load.ts';
import { TroubleNotice } from './notice.tsx';

/** What was asked for, once it is there; until then that it is on its way, and what went wrong where something did. */
export function WhenThere<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, trouble, reload } = loaded;
  return (
    <>
      <TroubleNotice trouble={trouble} onRetry={reload} />
      {data === undefined ? trouble === undefined && <Waiting /> : children(data)}
    </>
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
