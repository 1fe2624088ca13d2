import { z } from 'zod';
import { SourceUnreadable } from '../../core/errors.ts';
import type { AdsPage } from '../calls/collect-pages.ts';
import { rejectRenamed } from '../replies/renamed-keys.ts';
import { readReply } from '../replies/wire-fields.ts';
import { withoutGuard } from '../replies/without-guard.ts';
import { rejectEmpty } from './empty-reply.ts';
import { creative, creativeKeys } from './creative.ts';

/** A bound of the total: a decimal number as a text, rounded if it is large. */
const bound = z
  .string()
  .regex(/^\d{1,15}$/, 'expected a decimal number')
  .transform(Number);

const row = z.record(z.string(), z.unknown());

/** A page of `SearchCreatives` (recorded replies). The last page has no token. */
const page = z
  .looseObject({
    1: z.array(row).optional(),
    2: z.string().min(1).optional(),
    4: bound.optional(),
    5: bound.optional(),
  })
  .refine((reply) => (reply[4] ?? 0) <= (reply[5] ?? Infinity), { path: ['5'], message: 'is below key 4' });
type Page = z.infer<typeof page>;

const pageKeys = { known: ['1', '2', '4', '5'], usual: ['2'] };

const creatives = z.object({ 1: z.array(creative) });

/**
 * Parses a page of creatives, in the given order. `isFirst`: only the first page must contain the total.
 *
 * @throws EmptyReply for an empty object.
 * @throws SourceUnreadable that names the first invalid field; and for a reply that reports ads and has none, or that reports
 * further ads and has no token.
 */
export function readCreatives(reply: string, isFirst: boolean): AdsPage {
  rejectEmpty(reply);
  const text = withoutGuard(reply);
  const read = readReply('transparency', page, text);
  const rows = read[1] ?? [];
  if (rows.length === 0) return readPageWithoutAds(read, isFirst);
  const low = read[4] ?? 0;
  if (isFirst && (read[4] === undefined || read[5] === undefined))
    throw unreadable('creatives without a total');
  if (rows.length < low) rejectRenamed('transparency', [read], pageKeys);
  rejectRenamed('transparency', rows, creativeKeys);
  const { 1: ads } = readReply('transparency', creatives, text);
  return { ads, next: read[2] ?? null, estimate: estimateOf(read) };
}

/**
 * No ads: the total is 0, or the list of creatives is present and empty, which ends a later page whatever the total. In any
 * other reply the creatives stand in an unknown place.
 */
function readPageWithoutAds(read: Page, isFirst: boolean): AdsPage {
  const tellsSome = (read[5] ?? read[4] ?? 0) > 0;
  const isNone = read[5] === 0 || (read[1] !== undefined && (!tellsSome || !isFirst));
  if (!isNone) throw unreadable('neither creatives nor a total of 0');
  return { ads: [], next: read[2] ?? null, estimate: estimateOf(read) };
}

function estimateOf({ 4: low, 5: high }: Page): AdsPage['estimate'] {
  return low === undefined || high === undefined ? null : { low, high };
}

function unreadable(what: string): SourceUnreadable {
  return new SourceUnreadable(`The source transparency answered in an unknown shape: ${what}`);
}
