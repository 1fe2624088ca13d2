import { parseAddress, type EmailAddress } from './address.ts';
import type { SyntaxReason } from './reasons.ts';

/** What can be said of an address. `unknown` is an honest answer: nobody asked the server that would know. */
export interface EmailVerdict {
  readonly email: string;
  readonly status: 'invalid' | 'unknown';
  readonly subStatus: SyntaxReason | 'domain_not_checked';
  readonly recommendation: 'do_not_send' | 'review';
  /** How far was looked: so far at the address alone. */
  readonly level: 'syntax';
  /** Null where there is no address. */
  readonly address: EmailAddress | null;
}

/**
 * The verdict on an address, by its syntax. `invalid` is said of what no mail could be sent to, whatever any server thinks; about
 * everything else syntax alone knows nothing.
 */
export function validateEmail(email: string): EmailVerdict {
  const parsed = parseAddress(email);
  if (parsed.kind === 'invalid') {
    return {
      email,
      status: 'invalid',
      subStatus: parsed.reason,
      recommendation: 'do_not_send',
      level: 'syntax',
      address: null,
    };
  }
  return {
    email,
    status: 'unknown',
    subStatus: 'domain_not_checked',
    recommendation: 'review',
    level: 'syntax',
    address: parsed.address,
  };
}
