import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import { Waiting } from './loading.tsx';
import { ErrorBanner } from './banner.tsx';

/** A list that comes page by page, shown as `children` say, with a button for more. */
export function PagedList<Item>({
  pages,
  empty,
  children,
}: {
  readonly pages: Pages<Item>;
  /** Text of the empty state. */
  readonly empty: ComponentChildren;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}) {
  const { items, isThere, isLoading, hasMore, failure, more, reload } = pages;
  return (
    <>
      {isThere && items.length === 0 && <div class="empty">{empty}</div>}
      {items.length > 0 && children(items)}
      <ErrorBanner failure={failure} onRetry={isThere ? more : reload} />
      {!isThere && isLoading && <Waiting />}
      {isThere && items.length > 0 && (
        <p class="more" role="status">
          {hasMore ? (
            <button type="button" onClick={more} disabled={isLoading}>
              {isLoading ? 'Loading …' : 'Show more'}
            </button>
          ) : (
            <span class="quiet">That is all.</span>
          )}
        </p>
      )}
    </>
  );
}
