import type { ComponentChildren } from 'preact';

/** How something stands, as a small label: the colour only underlines what the word says. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: 'good' | 'bad' | 'warm' | 'cool' | 'plain';
  readonly children: ComponentChildren;
}) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
