import type { ComponentChildren } from 'preact';
import { useAction } from '../api/use-action.ts';
import { download, downloadStream } from './download.ts';
import { ErrorBanner } from './banner.tsx';

/**
 * Link to a file of the server, with the name that the server gives. Errors appear beside it: browsers do not show the error of a rejected download.
 *
 * @param isWhole the server creates the whole file before it responds, so the page fetches it; other files stream to the disk.
 */
export function DownloadLink({
  href,
  isWhole = false,
  isButton = true,
  children,
}: {
  readonly href: string;
  readonly isWhole?: boolean;
  readonly isButton?: boolean;
  readonly children: ComponentChildren;
}) {
  const fetching = useAction(() => (isWhole ? download(href, {}) : downloadStream(href)));
  return (
    <>
      <a
        class={isButton ? 'button' : undefined}
        href={href}
        download
        aria-busy={fetching.isRunning}
        onClick={(event) => {
          // The browser handles modified clicks, such as a new tab.
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          fetching.run();
        }}
      >
        {children}
        {fetching.isRunning && isWhole && ' …'}
      </a>
      <ErrorBanner error={fetching.error} />
    </>
  );
}
