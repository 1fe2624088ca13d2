import type { Message } from './message.ts';
import { timeText } from './text.ts';

/** Invitation as its mail describes it. */
export interface InvitationPayload {
  readonly account: string;
  readonly login: string;
  readonly role: string;
  /** URL of the sign-in link. */
  readonly link: string;
  readonly expiresAt: Date;
  /** True for a user who has not signed in before. */
  readonly isFirst: boolean;
}

/** Message with a sign-in link. */
export function invitationMessage({
  account,
  login,
  role,
  link,
  expiresAt,
  isFirst,
}: InvitationPayload): Message {
  return {
    headline: isFirst ? 'You are invited to Nightshift' : 'Your sign-in link for Nightshift',
    fields: [
      { label: 'Account', text: account },
      { label: 'User', text: login },
      { label: 'Role', text: role },
      { label: 'Link valid until', text: timeText(expiresAt, null) },
    ],
    steps: [{ what: 'Open this link to sign in. It works once', command: link }],
  };
}
