/** Labels of outcomes, in display order. */
export const outcomeNames = {
  found: 'With ads',
  none: 'Without ads',
  no_match: 'Not identified',
  failed: 'Failed',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
  open: 'Open',
} as const;

/** Labels of verdicts. */
export const emailStatusNames = {
  valid: 'Valid',
  invalid: 'Invalid',
  catch_all: 'Catch-all',
  unknown: 'Unknown',
} as const;

/** Labels of recommendations. */
export const recommendationNames = {
  send: 'Safe to send',
  review: 'Review',
  do_not_send: 'Do not send',
} as const;
