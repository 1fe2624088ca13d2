import { drizzle } from 'drizzle-orm/node-postgres';
import { recordCandidates } from '../../../db/stores/ads/advertiser-candidates.ts';
import type { ReportedCandidate } from '../../../src/core/companies/advertiser-candidates.ts';
import { fullId } from '../../../src/core/companies/platform-id.ts';
import { withClient } from '../db/test-postgres.ts';
import { advertiserId } from '../sources/creatives.ts';
import { defaultAccountId } from '../sources/snapshots.ts';

/** A synthetic candidate of nike.com, the nth advertiser, with defaults for omitted fields. */
export function makeCandidate(n: number, more: Partial<ReportedCandidate> = {}): ReportedCandidate {
  return {
    accountId: defaultAccountId,
    companyKey: 'd:nike.com',
    advertiserId: fullId(advertiserId(n)),
    name: `Nike Media ${n}`,
    legalName: null,
    location: 'DE',
    verification: 'VERIFIED',
    adsCount: 1200 + n,
    confidence: (80 - n) / 100,
    reasons: ['name_within', 'adds_generic_word'],
    source: 'snapshot',
    lookupId: 1n,
    ...more,
  };
}

/** Records candidates in a database. */
export function insertCandidates(
  { DATABASE_URL: url = '' }: Readonly<Record<string, string | undefined>>,
  ...reported: readonly ReportedCandidate[]
): Promise<void> {
  return withClient(url, (client) => recordCandidates(drizzle(client), reported));
}
