import { z } from 'zod';
import { google, qualifiedId } from '../../core/companies/platform-id.ts';
import type { SuggestedAdvertiser, Suggestions } from '../../core/sources/choose-advertisers.ts';
import { rejectRenamed } from '../replies/renamed-keys.ts';
import { beside, readReply, text } from '../replies/wire-fields.ts';
import { withoutGuard } from '../replies/without-guard.ts';
import { rejectEmpty } from './empty-reply.ts';

/** The lower bound of a number, as a text. */
const bound = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const advertiser = z.object({
  1: text,
  2: z.string().regex(/^AR\d{20}$/, 'expected the id of an advertiser, AR and 20 digits'),
  3: text.optional(),
  /** Bounds of the number of its ads. */
  4: beside(z.object({ 2: z.object({ 1: bound }) })),
  /** True for an advertiser that is not verified, in public notes on the interface; a verified one does not have it. */
  5: beside(z.boolean()),
});

/** One row of `SearchSuggestions` (recorded replies): an advertiser or a domain. */
const suggestion = z
  .object({ 1: advertiser.optional(), 2: z.object({ 1: z.string().min(1) }).optional() })
  .refine((row) => row[1] !== undefined || row[2] !== undefined, 'neither an advertiser nor a domain');

/** Key 3 is a text of unknown meaning. It shows that a reply without suggestions is complete. */
const shape = z
  .looseObject({ 1: z.array(suggestion).optional(), 3: z.string().optional() })
  .refine((reply) => reply[1] !== undefined || reply[3] !== undefined, 'neither suggestions nor key 3');

/**
 * Parses the advertisers and domains that the service suggests for a name, in the given order, which is alphabetical.
 *
 * @throws EmptyReply for an empty object.
 * @throws SourceUnreadable that names the first invalid field.
 */
export function readSuggestions(reply: string): Suggestions {
  rejectEmpty(reply);
  const read = readReply('transparency', shape, withoutGuard(reply));
  rejectRenamed('transparency', [read], { known: ['1', '3'], usual: ['1'] });
  const rows = read[1] ?? [];
  return {
    domains: rows.flatMap((row) => (row[2] === undefined ? [] : [row[2][1]])),
    advertisers: rows.flatMap((row) => (row[1] === undefined ? [] : [toAdvertiser(row[1])])),
  };
}

/** Without the mark of an advertiser that is not verified, nothing is known: others may lack it as well. */
function toAdvertiser(row: z.infer<typeof advertiser>): SuggestedAdvertiser {
  return {
    id: qualifiedId(google, row[2]),
    name: row[1],
    country: row[3] ?? null,
    verified: row[5] === true ? false : null,
    adsCount: row[4]?.[2][1] ?? null,
  };
}
