import type { Database } from '../../../db/connection/client.ts';
import {
  adOf,
  failedLookup,
  foundAds,
  openTestScans,
  scanDay,
  type FixtureScan,
} from '../scans/evaluation-fixture.ts';
import { unguarded } from './by-hand.ts';

/** A schedule after four scans of two companies; the third failed for globex.com and was retried. */
export interface ScanFixture {
  readonly scans: readonly FixtureScan[];
}

/** Builds the fixture, with every kind of change: `a` changes in the second scan, `n` starts there, `b` ends in the third and returns. */
export async function buildScanFixture(database: Database): Promise<ScanFixture> {
  const service = await openTestScans({ url: '', app: database, owner: database });
  const schedule = await service.addSchedule('rivals', ['acme.com', 'globex.com']);
  const redrawn = adOf('a', { format: 'Image' });
  const runs = [
    { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) },
    { 'acme.com': foundAds([redrawn, adOf('n', { start: scanDay(1) })]), 'globex.com': foundAds(['g']) },
    { 'acme.com': foundAds([redrawn, 'n']), 'globex.com': failedLookup },
    { 'acme.com': foundAds([redrawn, 'b', 'n']), 'globex.com': foundAds(['g'], { truncated: true }) },
  ];
  const scans: FixtureScan[] = [];
  for (const [day, answers] of runs.entries()) {
    const scan = await service.runScan(schedule, day, answers);
    await service.evaluate();
    if (day === 2) {
      await service.retry(scan, day, { 'globex.com': foundAds(['g']) });
      await service.evaluate();
    }
    scans.push(scan);
  }
  return { scans };
}

/** Manual damage to the data, and the expected finding. */
export interface ScanBreakage {
  readonly name: string;
  readonly by: (fixture: ScanFixture) => string;
  readonly finding: (fixture: ScanFixture) => string;
  readonly also?: readonly number[];
}

const [first, second, third] = [0, 1, 2].map(
  (i) =>
    ({ scans }: ScanFixture) =>
      scans[i] ?? { scanId: '', publicId: '', batchId: 0, batch: '' },
) as [One, One, One];
type One = (fixture: ScanFixture) => FixtureScan;

/** Ways to break invariant 13. */
export const scanBreakages: readonly ScanBreakage[] = [
  {
    name: 'a missing change',
    by: () => unguarded('ad_changes', `DELETE FROM nightshift.ad_changes WHERE kind = 'ended'`),
    finding: (fixture) => `scan ${third(fixture).publicId} changed acme.com: ad 2 ended not_seen`,
  },
  {
    name: 'a change without a supporting observation',
    by: (
      fixture,
    ) => `INSERT INTO nightshift.ad_changes (scan_id, company_key, ad_id, account_id, schedule_id, kind, version_id, is_active,
        rests_on, observed_at)
      SELECT ${third(fixture).scanId}, company_key, ad_id, account_id, schedule_id, 'changed', version_id, true, rests_on, observed_at
      FROM nightshift.ad_changes WHERE kind = 'new'`,
    finding: (fixture) => `scan ${third(fixture).publicId} changed acme.com: ad 5 changed`,
  },
  {
    name: 'an end with one scan only',
    by: (fixture) =>
      unguarded(
        'ad_changes',
        `UPDATE nightshift.ad_changes SET rests_on = ARRAY[${third(fixture).scanId}]::bigint[] WHERE kind = 'ended'`,
      ),
    finding: (fixture) => `by ${second(fixture).scanId} ${third(fixture).scanId}), which is not stored`,
  },
  {
    name: 'a change that is marked as baseline',
    by: () =>
      unguarded(
        'ad_changes',
        `UPDATE nightshift.ad_changes SET kind = 'baseline', reason = 'missed_earlier' WHERE kind = 'new'`,
      ),
    finding: (fixture) =>
      `scan ${second(fixture).publicId} has 0 changes of the kind new, and its events tell of 1`,
  },
  {
    name: 'an answer with a wrong completeness',
    by: () =>
      unguarded(
        'scan_companies',
        `UPDATE nightshift.scan_companies SET completeness = 'complete' WHERE completeness = 'truncated'`,
      ),
    finding: () => 'says of globex.com {"completeness":"complete"',
  },
  {
    name: 'a wrong count of active ads',
    by: (fixture) =>
      unguarded(
        'scan_companies',
        `UPDATE nightshift.scan_companies SET ads_active = 7 WHERE scan_id = ${first(fixture).scanId} AND company_key = 'd:acme.com'`,
      ),
    finding: (fixture) =>
      `scan ${first(fixture).publicId} says of acme.com {"completeness":"complete","isBaseline":true,"adsActive":7`,
  },
  {
    name: 'an answer with a later date',
    by: (fixture) =>
      unguarded(
        'scan_companies',
        `UPDATE nightshift.scan_companies SET day = day + 1 WHERE scan_id = ${first(fixture).scanId} AND company_key = 'd:acme.com'`,
      ),
    finding: (fixture) =>
      `scan ${first(fixture).publicId} takes the answer about acme.com for one of ${scanDay(1)}, which is not its day`,
  },
  {
    name: 'a missing company of a scan',
    by: (fixture) =>
      unguarded(
        'scan_companies',
        `DELETE FROM nightshift.scan_companies WHERE company_key = 'd:globex.com' AND scan_id > ${second(fixture).scanId}`,
      ),
    finding: (fixture) => `scan ${third(fixture).publicId} has heard of globex.com`,
  },
  {
    name: 'an observation of a lookup of another scan',
    by: (fixture) =>
      unguarded(
        'scan_companies',
        `UPDATE nightshift.scan_companies k SET lookup_id = o.lookup_id FROM nightshift.scan_companies o
          WHERE k.scan_id = ${first(fixture).scanId} AND o.scan_id = ${second(fixture).scanId} AND o.company_key = k.company_key
            AND k.company_key = 'd:globex.com'`,
      ),
    finding: (fixture) => `scan ${first(fixture).publicId} speaks of globex.com by lookup`,
  },
  {
    name: 'a change of a company outside of its scan',
    by: (fixture) =>
      unguarded(
        'ad_changes',
        `UPDATE nightshift.ad_changes SET company_key = 'd:initech.com' WHERE kind = 'new' AND scan_id = ${second(fixture).scanId}`,
      ),
    finding: (fixture) =>
      `scan ${second(fixture).publicId} changed ad 5 of initech.com, of which it does not speak`,
  },
  {
    name: 'a change of another account',
    by: () => unguarded('ad_changes', `UPDATE nightshift.ad_changes SET account_id = 99 WHERE kind = 'new'`),
    finding: (fixture) => `scan ${second(fixture).publicId} changed ad 5 for account 99, and is of account 1`,
  },
  {
    name: 'a wrong state of an ad',
    by: () => `UPDATE nightshift.tracked_ad_rows SET is_active = false WHERE ad_id = 1`,
    finding: () => 'the stored state of acme.com differs from the result of its 4 observations',
  },
  {
    name: 'a wrong day of the newest answer',
    by: () =>
      `UPDATE nightshift.tracked_companies SET seen_day = seen_day - 1 WHERE company_key = 'd:acme.com'`,
    finding: () => 'the stored state of acme.com differs from the result of its 4 observations',
  },
  {
    name: 'a wrong newest answer',
    by: () => `UPDATE nightshift.tracked_companies SET seen_answer_id = 99 WHERE company_key = 'd:acme.com'`,
    finding: () =>
      'the next answer for acme.com would be compared with answer 99, which is not that of its last scan',
  },
  {
    name: 'a missing newest answer',
    by: () =>
      `UPDATE nightshift.tracked_companies SET seen_scan_id = NULL, seen_answer_id = NULL WHERE company_key = 'd:globex.com'`,
    finding: () => 'ad 3 of globex.com refers to an answer that its company does not have',
  },
  {
    name: 'a missing state of an ad',
    by: () => `DELETE FROM nightshift.tracked_ad_rows WHERE ad_id = 3`,
    finding: () => 'the stored state of globex.com differs from the result of its 4 observations',
  },
  {
    name: 'a missing state of a company',
    by: () => `DELETE FROM nightshift.tracked_companies WHERE company_key = 'd:globex.com'`,
    finding: () => 'ad 3 is known of globex.com, and nothing is known of that',
  },
  {
    name: 'a wrong content hash of an ad',
    by: () => `UPDATE nightshift.ad_version_hashes SET content_hash = '\\x00' WHERE version_id = 3`,
    finding: () => 'version 3 of an ad does not match its stored content hash',
  },
  {
    name: 'a scan without an event',
    by: (fixture) => `DELETE FROM nightshift.events WHERE subject = '${second(fixture).publicId}'`,
    finding: (fixture) => `scan ${second(fixture).publicId} was evaluated, but no event was created`,
  },
  {
    name: 'changes of a retry without an event',
    by: (
      fixture,
    ) => `INSERT INTO nightshift.ad_changes (scan_id, company_key, ad_id, account_id, schedule_id, kind, version_id, is_active,
        rests_on, observed_at)
      SELECT ${third(fixture).scanId}, company_key, ad_id, account_id, schedule_id, 'new', version_id, true, rests_on, observed_at
      FROM nightshift.ad_changes WHERE company_key = 'd:globex.com' AND kind = 'baseline'`,
    finding: (fixture) =>
      `scan ${third(fixture).publicId} has 1 changes of the kind new, and its events tell of 0`,
  },
  {
    name: 'a scan that is marked as not evaluated',
    by: (fixture) => `UPDATE nightshift.scans SET evaluated_at = NULL WHERE id = ${first(fixture).scanId}`,
    finding: (fixture) => `scan ${first(fixture).publicId} is finished, and says it was evaluated 1 times`,
  },
  {
    name: 'a scan that was evaluated before an older one',
    by: (fixture) =>
      `UPDATE nightshift.scans SET evaluated_at = NULL, evaluations = 0 WHERE id = ${first(fixture).scanId}`,
    finding: (fixture) =>
      `scan ${second(fixture).publicId} is evaluated, and scan ${first(fixture).publicId} before it is not`,
  },
  {
    name: 'missing settings of a scan',
    by: (fixture) => `UPDATE nightshift.scans SET misses_to_end = NULL WHERE id = ${second(fixture).scanId}`,
    finding: (fixture) =>
      `scan ${second(fixture).publicId} is evaluated, and nothing says how sure its schedule wanted to be`,
  },
  {
    name: 'wrong settings of a scan',
    by: (fixture) => `UPDATE nightshift.scans SET misses_to_end = 1 WHERE id = ${second(fixture).scanId}`,
    finding: (fixture) => `scan ${second(fixture).publicId} changed acme.com: ad 2 ended not_seen`,
  },
  {
    name: 'changes without their trigger',
    by: () => 'ALTER TABLE nightshift.ad_changes DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table ad_changes is disabled',
  },
];
