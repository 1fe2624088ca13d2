import type { WebhookKind } from './event-envelope.ts';

/** Displays a target without secrets: the path of an incoming webhook of Slack is its secret, and a query often holds a key. */
export function shownTarget(kind: WebhookKind, target: string): string {
  if (kind === 'email') return target;
  const { origin, pathname, search } = new URL(target);
  if (kind === 'slack') return `${origin}/…`;
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
