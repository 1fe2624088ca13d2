import { hash } from 'node:crypto';
import { parseAddress } from './address.ts';

/** An address as it is asked about. */
export interface EmailQuery {
  /** Key of the lookup: the normalised address; for a text that is none, a digest of it. */
  readonly key: string;
  /** As it was written, without the blanks around it; cut off where it is longer than any address. */
  readonly email: string;
}

/** Characters of a text that are kept. Longer than any address: what is cut off stays invalid, and for the same reason. */
const charactersMax = 2000;

/** Reads what is to be validated. A text that is no address is asked about all the same: that is its answer. */
export function readEmail(text: string): EmailQuery {
  const email = text.trim();
  const parsed = parseAddress(email);
  const key = parsed.kind === 'address' ? parsed.address.normalised : `invalid:${hash('sha256', email)}`;
  return { key, email: storable(email.slice(0, charactersMax)) };
}

/** Postgres takes neither NUL nor half a character. U+001A stands for what cannot be told, and is as wrong in an address. */
function storable(text: string): string {
  return text.replace(/\p{Cs}|\0/gu, '\u001a');
}
