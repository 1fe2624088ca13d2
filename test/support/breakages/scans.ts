import type { Database } from '../../../db/client.ts';
import {
  adOf,
  failedLookup,
  foundAds,
  openScanDesk,
  scanDay,
  type HandMadeScan,
} from '../scans/evaluation-fixture.ts';
import { unguarded } from './by-hand.ts';

/** A schedule after four scans of two companies; the third failed for globex.com and was retried. */
export interface ScanWorld {
  readonly scans: readonly HandMadeScan[];
}

/** Builds it, with something of every kind: `a` changes in the second scan, `n` begins, `b` ends in the third and comes back. */
export async function buildScanWorld(database: Database): Promise<ScanWorld> {
  const desk = await openScanDesk({ url: '', app: database, owner: database });
  const schedule = await desk.addSchedule('rivals', ['acme.com', 'globex.com']);
  const redrawn = adOf('a', { format: 'Image' });
  const nights = [
    { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) },
    { 'acme.com': foundAds([redrawn, adOf('n', { start: scanDay(1) })]), 'globex.com': foundAds(['g']) },
    { 'acme.com': foundAds([redrawn, 'n']), 'globex.com': failedLookup },
    { 'acme.com': foundAds([redrawn, 'b', 'n']), 'globex.com': foundAds(['g'], { truncated: true }) },
  ];
  const scans: HandMadeScan[] = [];
  for (const [day, answers] of nights.entries()) {
    const scan = await desk.play(schedule, day, answers);
    await desk.evaluate();
    if (day === 2) {
      await desk.retry(scan, day, { 'globex.com': foundAds(['g']) });
      await desk.evaluate();
    }
    scans.push(scan);
  }
  return { scans };
}

/** One thing done to the record by hand, and what must be said of it. */
export interface ScanBreakage {
  readonly name: string;
  readonly by: (world: ScanWorld) => string;
  readonly finding: (world: ScanWorld) => string;
  readonly also?: readonly number[];
}

const [first, second, third] = [0, 1, 2].map(
  (i) =>
    ({ scans }: ScanWorld) =>
      scans[i] ?? { scanId: '', publicId: '', batchId: 0, batch: '' },
) as [One, One, One];
type One = (world: ScanWorld) => HandMadeScan;

/** Ways to break invariant 13. */
export const scanBreakages: readonly ScanBreakage[] = [
  {
    name: 'a change that was lost',
    by: () => unguarded('ad_changes', `DELETE FROM nightshift.ad_changes WHERE kind = 'ended'`),
    finding: (world) => `scan ${third(world).publicId} changed acme.com: ad 2 ended not_seen`,
  },
  {
    name: 'a change that nothing that was heard says',
    by: (
      world,
    ) => `INSERT INTO nightshift.ad_changes (scan_id, company_key, ad_id, account_id, schedule_id, kind, version_id, is_active,
        rests_on, observed_at)
      SELECT ${third(world).scanId}, company_key, ad_id, account_id, schedule_id, 'changed', version_id, true, rests_on, observed_at
      FROM nightshift.ad_changes WHERE kind = 'new'`,
    finding: (world) => `scan ${third(world).publicId} changed acme.com: ad 6 changed`,
  },
  {
    name: 'an end that rests on one scan alone',
    by: (world) =>
      unguarded(
        'ad_changes',
        `UPDATE nightshift.ad_changes SET rests_on = ARRAY[${third(world).scanId}]::bigint[] WHERE kind = 'ended'`,
      ),
    finding: (world) => `by ${second(world).scanId} ${third(world).scanId}), which is not stored`,
  },
  {
    name: 'a change that is said to be no news',
    by: () =>
      unguarded(
        'ad_changes',
        `UPDATE nightshift.ad_changes SET kind = 'baseline', reason = 'missed_earlier' WHERE kind = 'new'`,
      ),
    finding: (world) =>
      `scan ${second(world).publicId} has 0 changes of the kind new, and its notices tell of 1`,
  },
  {
    name: 'an answer that is said to be more complete than it is',
    by: () =>
      unguarded(
        'scan_companies',
        `UPDATE nightshift.scan_companies SET completeness = 'complete' WHERE completeness = 'truncated'`,
      ),
    finding: () => 'says of globex.com {"completeness":"complete"',
  },
  {
    name: 'a count of ads that run that is wrong',
    by: (world) =>
      unguarded(
        'scan_companies',
        `UPDATE nightshift.scan_companies SET ads_active = 7 WHERE scan_id = ${first(world).scanId} AND company_key = 'd:acme.com'`,
      ),
    finding: (world) =>
      `scan ${first(world).publicId} says of acme.com {"completeness":"complete","isBaseline":true,"adsActive":7`,
  },
  {
    name: 'an answer that is taken for a later one',
    by: (world) =>
      unguarded(
        'scan_companies',
        `UPDATE nightshift.scan_companies SET day = day + 1 WHERE scan_id = ${first(world).scanId} AND company_key = 'd:acme.com'`,
      ),
    finding: (world) =>
      `scan ${first(world).publicId} takes the answer about acme.com for one of ${scanDay(1)}, which it is not`,
  },
  {
    name: 'a company that a scan has forgotten',
    by: (world) =>
      unguarded(
        'scan_companies',
        `DELETE FROM nightshift.scan_companies WHERE company_key = 'd:globex.com' AND scan_id > ${second(world).scanId}`,
      ),
    finding: (world) => `scan ${third(world).publicId} has heard of globex.com`,
  },
  {
    name: 'a look by a lookup of another scan',
    by: (world) =>
      unguarded(
        'scan_companies',
        `UPDATE nightshift.scan_companies k SET lookup_id = o.lookup_id FROM nightshift.scan_companies o
          WHERE k.scan_id = ${first(world).scanId} AND o.scan_id = ${second(world).scanId} AND o.company_key = k.company_key
            AND k.company_key = 'd:globex.com'`,
      ),
    finding: (world) => `scan ${first(world).publicId} speaks of globex.com by lookup`,
  },
  {
    name: 'a change of a company that its scan does not speak of',
    by: (world) =>
      unguarded(
        'ad_changes',
        `UPDATE nightshift.ad_changes SET company_key = 'd:initech.com' WHERE kind = 'new' AND scan_id = ${second(world).scanId}`,
      ),
    finding: (world) =>
      `scan ${second(world).publicId} changed ad 6 of initech.com, of which it does not speak`,
  },
  {
    name: 'a change that belongs to another account',
    by: () => unguarded('ad_changes', `UPDATE nightshift.ad_changes SET account_id = 99 WHERE kind = 'new'`),
    finding: (world) => `scan ${second(world).publicId} changed ad 6 for account 99, and is of account 1`,
  },
  {
    name: 'what is known of an ad, changed',
    by: () => `UPDATE nightshift.tracked_ads SET is_active = false WHERE ad_id = 1`,
    finding: () => 'what is known of acme.com is not what 4 answers about it come to',
  },
  {
    name: 'what is known of an ad, gone',
    by: () => `DELETE FROM nightshift.tracked_ads WHERE ad_id = 3`,
    finding: () => 'what is known of globex.com is not what 4 answers about it come to',
  },
  {
    name: 'what is known of a company, gone',
    by: () => `DELETE FROM nightshift.tracked_companies WHERE company_key = 'd:globex.com'`,
    finding: () => 'ad 3 is known of globex.com, and nothing is known of that',
  },
  {
    name: 'a look of an ad that is kept wrong',
    by: () => `UPDATE nightshift.ad_looks SET look = '\\x00' WHERE version_id = 3`,
    finding: () => 'version 3 of an ad does not look as was kept of it',
  },
  {
    name: 'a scan that nobody was told of',
    by: (world) => `DELETE FROM nightshift.notices WHERE subject = '${second(world).publicId}'`,
    finding: (world) => `scan ${second(world).publicId} was evaluated, and nobody was told`,
  },
  {
    name: 'changes of a retry that nobody was told of',
    by: (
      world,
    ) => `INSERT INTO nightshift.ad_changes (scan_id, company_key, ad_id, account_id, schedule_id, kind, version_id, is_active,
        rests_on, observed_at)
      SELECT ${third(world).scanId}, company_key, ad_id, account_id, schedule_id, 'new', version_id, true, rests_on, observed_at
      FROM nightshift.ad_changes WHERE company_key = 'd:globex.com' AND kind = 'baseline'`,
    finding: (world) =>
      `scan ${third(world).publicId} has 1 changes of the kind new, and its notices tell of 0`,
  },
  {
    name: 'a scan that says it was never evaluated',
    by: (world) => `UPDATE nightshift.scans SET evaluated_at = NULL WHERE id = ${first(world).scanId}`,
    finding: (world) => `scan ${first(world).publicId} is finished, and says it was evaluated 1 times`,
  },
  {
    name: 'a scan that was evaluated before an older one',
    by: (world) =>
      `UPDATE nightshift.scans SET evaluated_at = NULL, evaluations = 0 WHERE id = ${first(world).scanId}`,
    finding: (world) =>
      `scan ${second(world).publicId} is evaluated, and scan ${first(world).publicId} before it is not`,
  },
  {
    name: 'settings of a scan that are gone',
    by: (world) => `UPDATE nightshift.scans SET misses_to_end = NULL WHERE id = ${second(world).scanId}`,
    finding: (world) =>
      `scan ${second(world).publicId} is evaluated, and nothing says how sure its schedule wanted to be`,
  },
  {
    name: 'settings of a scan that are others',
    by: (world) => `UPDATE nightshift.scans SET misses_to_end = 1 WHERE id = ${second(world).scanId}`,
    finding: (world) => `scan ${second(world).publicId} changed acme.com: ad 2 ended not_seen`,
  },
  {
    name: 'unguarded changes',
    by: () => 'ALTER TABLE nightshift.ad_changes DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table ad_changes is disabled',
  },
];
