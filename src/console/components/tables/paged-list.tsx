import type { ComponentChildren } from 'preact';
import type { Pages } from '../../api/use-pages.ts';
import { Loading } from '../loading.tsx';
import { ErrorBanner } from '../banner.tsx';

/** List that loads page by page, rendered by `children`, with a button for more. */
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
  const { items, isLoaded, isLoading, hasMore, error, more, reload } = pages;
  return (
    <>
      {isLoaded && items.length === 0 && <div class="empty">{empty}</div>}
      {items.length > 0 && children(items)}
      <ErrorBanner error={error} onRetry={isLoaded ? more : reload} />
      {!isLoaded && isLoading && <Loading />}
      {isLoaded && items.length > 0 && hasMore && (
        <p class="more" role="status">
          <button type="button" onClick={more} disabled={isLoading}>
            {isLoading ? 'Loading …' : 'Show more'}
          </button>
        </p>
      )}
    </>
  );
}
