import { ValidationError } from '../../errors.ts';
import { parseAddress } from '../syntax/address.ts';
import { personDigest, type OptOut } from './opt-outs.ts';
import { emailReasons } from '../reasons.ts';

/**
 * Reads who wants to be left alone: an address is a person, everything else a domain, with or without an @ in front.
 *
 * @throws ValidationError when it is neither.
 */
export function readOptOut(text: string): OptOut {
  const trimmed = text.trim();
  const isDomain = trimmed.lastIndexOf('@') <= 0;
  const parsed = parseAddress(isDomain ? `postmaster@${trimmed.replace(/^@/, '')}` : trimmed);
  if (parsed.kind === 'invalid') {
    const kind = isDomain ? 'domain' : 'e-mail address';
    throw new ValidationError(`${JSON.stringify(text)} is no ${kind}: ${emailReasons[parsed.reason].words}`);
  }
  return isDomain
    ? { kind: 'domain', domain: parsed.address.asciiDomain }
    : { kind: 'person', digest: personDigest(parsed.address) };
}
