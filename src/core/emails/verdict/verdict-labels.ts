import type { EmailStatus, Recommendation, VerificationLevel } from './verdict.ts';

/** Messages of verdicts. Reasons have their own (`emailReasons`). */
export const statusLabels: Readonly<Record<EmailStatus, string>> = {
  valid: 'The mail server accepts this address and rejects one that does not exist.',
  invalid: 'Mail cannot reach this address.',
  catch_all: 'The mail server accepts any address of this domain.',
  unknown: 'The checks found no problem, but cannot confirm the mailbox.',
};

/** Messages of recommendations. */
export const recommendationLabels: Readonly<Record<Recommendation, string>> = {
  send: 'Safe to send.',
  review: 'Review before you send.',
  do_not_send: 'Do not send.',
};

/** Labels of verification levels. */
export const levelLabels: Readonly<Record<VerificationLevel, string>> = {
  syntax: 'Syntax',
  domain: 'Syntax and domain',
  mailbox: 'Syntax, domain and mailbox',
};
