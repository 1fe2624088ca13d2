import { hash } from 'node:crypto';
import { parseAddress } from './address.ts';

/** An address to validate. */
export interface EmailQuery {
  /** Key of the lookup: the normalised address; for any other text its digest. */
  readonly key: string;
  /** As written, without spaces around it; truncated if it is longer than any address. */
  readonly email: string;
}

/** Characters of a stored text. Longer than any address: a truncated text stays invalid for the same reason. */
const charactersMax = 2000;

/** Parses a text to validate. A text that is not an address is a lookup too: its verdict is `invalid`. */
export function parseEmailQuery(text: string): EmailQuery {
  const email = text.trim();
  const parsed = parseAddress(email);
  const key = parsed.kind === 'address' ? parsed.address.normalised : `invalid:${hash('sha256', email)}`;
  return { key, email: storable(email.slice(0, charactersMax)) };
}

/** Postgres stores neither NUL nor lone surrogates. U+001A replaces them, and is invalid in an address as well. */
function storable(text: string): string {
  return text.replace(/\p{Cs}|\0/gu, '\u001a');
}
