import type { ComponentChildren } from 'preact';

/** Label of a state; the colour only underlines the text. */
export function Badge({
  tone,
  children,
}: {
  readonly tone: 'good' | 'bad' | 'warm' | 'cool' | 'plain';
  readonly children: ComponentChildren;
}) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
