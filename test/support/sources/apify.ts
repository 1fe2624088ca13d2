import { z } from 'zod';
import type { CreativeRow } from './creative-rows.ts';
import { openStandInServer, type StandInReply, type StandInServer } from './stand-in-server.ts';
import type { VendorFixture } from './vendor-fixture.ts';

export const key = 'secret-of-apify';

const input = z
  .strictObject({
    domain: z.string().min(1).optional(),
    advertiserId: z
      .string()
      .regex(/^AR\d{20}$/)
      .optional(),
    region: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    maxItems: z.int().min(1),
  })
  .refine((given) => (given.domain === undefined) !== (given.advertiserId === undefined));

/**
 * A run of an Apify actor that returns the items of its dataset: only an array.
 *
 * Differences: every actor has its own schema, this one has the typical one; all data is synthetic; a run takes no time.
 */
export async function openApify(fixture: VendorFixture): Promise<StandInServer> {
  return openStandInServer(({ method, path, query, headers, body }) => {
    if (method !== 'POST' || path !== '/v2/acts/OWNER~ACTOR/run-sync-get-dataset-items') return failure(404);
    if (query.get('token') !== key || query.size !== 1) return failure(401);
    const given = input.safeParse(body);
    if (!given.success || headers['content-type'] !== 'application/json') return failure(400);
    const rows = fixture.ads(given.data.domain ?? given.data.advertiserId ?? '');
    return { status: 200, json: replyAbout(rows.slice(0, given.data.maxItems)) };
  });
}

/** A complete reply. */
export function replyAbout(rows: readonly CreativeRow[]): unknown {
  return rows.map((row) => ({
    advertiserId: row.advertiserId,
    advertiserName: row.advertiserName,
    creativeId: row.creativeId,
    format: row.format.toUpperCase(),
    firstShown: toDay(row.firstShown),
    lastShown: toDay(row.lastShown),
    previewUrl: 'https://displayads-formats.googleusercontent.com/ads/preview/content.js',
    imageUrl: row.image?.url ?? null,
    videoUrl: null,
    adLibraryUrl: `https://adstransparency.google.com/advertiser/${row.advertiserId}/creative/${row.creativeId}`,
  }));
}

function toDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function failure(status: number): StandInReply {
  return { status, json: { error: { type: 'as-the-stand-in-wants', message: 'No.' } } };
}
