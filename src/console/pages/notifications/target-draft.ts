import type { Body } from '../../api/client.ts';
import { eventNames, type EventName } from './target-labels.ts';

type Target = Body<'Webhook'>;

/** Target in the fields of its form. */
export interface TargetDraft {
  readonly name: string;
  readonly kind: Target['kind'];
  /** An e-mail address or a URL; empty keeps the stored URL. */
  readonly address: string;
  readonly events: readonly EventName[];
}

/** Draft of a new target: a mailbox, if mails can be sent. */
export function emptyTarget(mailFrom: string | null): TargetDraft {
  return { name: '', kind: mailFrom === null ? 'slack' : 'email', address: '', events: eventNames };
}

/** Draft of a stored target. A stored URL is a secret, and stays empty. */
export function toTargetDraft({ name, kind, target, events }: Target): TargetDraft {
  return { name, kind, address: kind === 'email' ? target : '', events };
}

/** Field of the API for the address of a draft; empty for an empty address. */
export function addressBody({ kind, address }: TargetDraft) {
  const text = address.trim();
  if (text === '') return {};
  if (kind === 'email') return { email: text };
  return kind === 'slack' ? { slack_url: text } : { url: text };
}
