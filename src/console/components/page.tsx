import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** True after the first page of this tab: on the first page the focus stays where the browser puts it. */
let hasShownPage = false;

/**
 * A page: its title, what can be done on it, and its content. The title of the tab follows, and who comes from another page by keyboard
 * or with a screen reader stands at the heading.
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
  /** Buttons and links that concern the whole page. */
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
          {kind !== undefined && <p class="kind-of">{kind}</p>}
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

/** A part of a page under a heading of its own. */
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
