import type { EmailStatus, Recommendation, VerificationLevel } from './verdict.ts';

/** Labels of a verdict's parts, for people. Reasons have labels of their own (`emailReasons`). */
export const statusLabels: Readonly<Record<EmailStatus, string>> = {
  valid: 'The mail server accepts mail for this address, and refuses it for one that nobody has.',
  invalid: 'No mail can reach this address.',
  catch_all:
    'The mail server accepts any address of this domain, so nobody can tell whether this one exists.',
  unknown: 'Nothing speaks against this address as far as we have looked.',
};

export const recommendationWords: Readonly<Record<Recommendation, string>> = {
  send: 'You can write to it.',
  review: 'Look at it before you write to it.',
  do_not_send: 'Do not write to it.',
};

export const levelLabels: Readonly<Record<VerificationLevel, string>> = {
  syntax: 'We looked at how the address is written.',
  domain: 'We looked at the address and at whether its domain takes mail.',
  mailbox: 'We asked the mail server about this very address.',
};
