import type { EmailStatus, Recommendation, VerificationLevel } from './verdict.ts';

/** Labels of statuses. Reasons have messages of their own (`emailReasons`). */
export const statusLabels: Readonly<Record<EmailStatus, string>> = {
  valid: 'The mail server accepts mail for this address, and rejects an address that cannot exist.',
  invalid: 'No mail can reach this address.',
  catch_all: 'The mail server accepts every address of this domain, so the check cannot confirm this one.',
  unknown: 'The check found nothing against this address.',
};

/** Labels of recommendations. */
export const recommendationLabels: Readonly<Record<Recommendation, string>> = {
  send: 'You can send mail to it.',
  review: 'Review it before you send mail to it.',
  do_not_send: 'Do not send mail to it.',
};

/** Labels of verification levels. */
export const levelLabels: Readonly<Record<VerificationLevel, string>> = {
  syntax: 'Checked: the address.',
  domain: 'Checked: the address and its domain.',
  mailbox: 'Checked: the address, its domain and the mailbox at its mail server.',
};
