import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** True after the first page of this tab: the first page leaves the focus to the browser. */
let hasShownPage = false;

/**
 * Page with a title, actions and content. Sets the title of the tab, and moves the focus to the heading for keyboards and screen
 * readers.
 */
export function Page({
  title,
  kind,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  /** Kind of the title: "Batch", "Schedule". */
  readonly kind?: string;
  readonly lead?: ComponentChildren;
  /** Buttons and links for the whole page. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (hasShownPage) heading.current?.focus();
    hasShownPage = true;
  }, []);
  useLayoutEffect(() => {
    document.title = `${title} · Nightshift`;
  }, [title]);
  return (
    <div class="page">
      <div class="page-head">
        <div>
          {kind !== undefined && <p class="kind">{kind}</p>}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** Part of a page with its own heading. */
export function Section({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
