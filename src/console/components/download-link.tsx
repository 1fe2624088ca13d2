import type { ComponentChildren } from 'preact';
import { useAction } from '../api/use-action.ts';
import { download, downloadStream } from './download.ts';
import { ErrorBanner } from './banner.tsx';

/**
 * A link to a file of the server. What goes wrong is said beside it: a browser says nothing of a download that the server refuses.
 *
 * @param isWhole the server makes the file as a whole before it answers, so that it is fetched here; all others stream to the disk.
 */
export function DownloadLink({
  href,
  fileName,
  isWhole = false,
  isButton = true,
  children,
}: {
  readonly href: string;
  /** Left out: the one that the server gives it. */
  readonly fileName?: string;
  readonly isWhole?: boolean;
  readonly isButton?: boolean;
  readonly children: ComponentChildren;
}) {
  const fetching = useAction(() =>
    isWhole ? download(href, {}, fileName ?? null) : downloadStream(href, fileName ?? ''),
  );
  return (
    <>
      <a
        class={isButton ? 'button' : undefined}
        href={href}
        download={fileName ?? true}
        aria-busy={fetching.isRunning}
        onClick={(event) => {
          // Another window, or the menu of the link, is the browser's own matter.
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          fetching.run();
        }}
      >
        {children}
        {fetching.isRunning && isWhole && ' …'}
      </a>
      <ErrorBanner failure={fetching.failure} />
    </>
  );
}
