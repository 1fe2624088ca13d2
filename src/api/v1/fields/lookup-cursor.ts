import { badCursor } from '../../http/pages.ts';

/** Formats a lookup as the opaque cursor of a list. */
export function formatLookupCursor(lookupId: bigint): string {
  return Buffer.from(String(lookupId)).toString('base64url');
}

/** Parses a cursor of `formatLookupCursor`. @throws Problem */
export function parseLookupCursor(text: string | undefined): bigint | null {
  if (text === undefined) return null;
  const id = Buffer.from(text, 'base64url').toString('latin1');
  if (!/^\d{1,18}$/.test(id)) throw badCursor();
  return BigInt(id);
}
