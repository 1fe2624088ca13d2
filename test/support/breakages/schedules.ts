import { advisoryLocks } from '../../../db/locks/advisory-locks.ts';
import type { ScanFixture } from '../scans/scan-fixture.ts';

/** Manual damage to the data, and the expected finding of invariant 10. */
export interface ScheduleBreakage {
  /** Description of the damage, as the end of a sentence. */
  readonly name: string;
  readonly by: (fixture: ScanFixture) => string;
  readonly finding: (fixture: ScanFixture) => string;
  /** Names in the queue. Default: those of the table. */
  readonly queue?: (fixture: ScanFixture) => readonly string[];
  /** Detected only while a dispatcher runs. */
  readonly isKept?: boolean;
}

const otherAccount = `INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (2, 'other')`;
const longAgo = "now() - interval '2 min'";

/** Holds the leader lock for the length of a transaction, as a dispatcher's session does. */
export const takeLeaderLock = `SELECT pg_advisory_xact_lock(${advisoryLocks.dispatcher})`;

/** Ways to break invariant 10. */
export const scheduleBreakages: readonly ScheduleBreakage[] = [
  {
    name: 'two scans for one tick',
    by: () =>
      `DROP INDEX nightshift.scans_one_per_tick;
      UPDATE nightshift.scans SET cause = 'tick', due_at = '2026-01-01T02:00:00Z'`,
    finding: ({ schedule }) => `schedule ${schedule} has 2 scans for its tick at 2026-01-01`,
  },
  {
    name: 'two scans with one batch',
    by: ({ finished, running }) =>
      `DROP INDEX nightshift.scans_batch;
      UPDATE nightshift.scans SET batch_id = (SELECT batch_id FROM nightshift.scans WHERE public_id = '${running}')
      WHERE public_id = '${finished}'`,
    finding: ({ runningBatch }) => `batch ${runningBatch} is said to be 2 scans`,
  },
  {
    name: 'two waiting scans',
    by: () =>
      `DROP INDEX nightshift.scans_one_waiting;
      UPDATE nightshift.scans SET state = 'waiting', batch_id = NULL, begun_at = NULL, finished_at = NULL`,
    finding: ({ schedule }) => `schedule ${schedule} has 2 scans that wait`,
  },
  {
    name: 'a scan without ticks',
    by: ({ finished }) => `UPDATE nightshift.scans SET ticks = 0 WHERE public_id = '${finished}'`,
    finding: ({ finished, schedule }) => `scan ${finished} of schedule ${schedule} stands for 0 ticks`,
  },
  {
    name: 'a scan of another account than its schedule',
    by: ({ finished }) =>
      `${otherAccount}; UPDATE nightshift.scans SET account_id = 2 WHERE public_id = '${finished}'`,
    finding: ({ finished, schedule }) =>
      `scan ${finished} belongs to account 2, its schedule ${schedule} to account 1`,
  },
  {
    name: 'a scan of another account than its batch',
    by: ({ runningBatch }) =>
      `${otherAccount}; UPDATE nightshift.batches SET account_id = 2 WHERE public_id = '${runningBatch}'`,
    finding: ({ running, runningBatch }) =>
      `scan ${running} belongs to account 1, its batch ${runningBatch} to account 2`,
  },
  {
    name: 'a scan with a missing batch',
    by: ({ finished }) => `UPDATE nightshift.scans SET batch_id = 99 WHERE public_id = '${finished}'`,
    finding: ({ finished }) =>
      `scan ${finished} belongs to account 1, its batch 99 to no account: it does not exist`,
  },
  {
    name: 'a finished scan without an end time',
    by: ({ finished }) => `UPDATE nightshift.scans SET finished_at = NULL WHERE public_id = '${finished}'`,
    finding: ({ finished }) => `scan ${finished} is finished and has no time of its end`,
  },
  {
    name: 'a running scan with an end time',
    by: ({ running }) => `UPDATE nightshift.scans SET finished_at = now() WHERE public_id = '${running}'`,
    finding: ({ running }) => `scan ${running} is running and has a time of its end`,
  },
  {
    name: 'a scan of an incomplete batch',
    by: ({ runningBatch }) =>
      `UPDATE nightshift.batches SET loaded_at = NULL WHERE public_id = '${runningBatch}'`,
    finding: ({ running, runningBatch }) => `batch ${runningBatch} is being loaded, and is scan ${running}`,
  },
  {
    name: 'a running scan of a finished batch',
    by: ({ finished, finishedBatch }) =>
      `UPDATE nightshift.scans SET state = 'running', finished_at = NULL WHERE public_id = '${finished}';
      UPDATE nightshift.batches SET state_since = ${longAgo} WHERE public_id = '${finishedBatch}'`,
    finding: ({ finished, finishedBatch }) =>
      `scan ${finished} is running, and its batch ${finishedBatch} is finished`,
    isKept: true,
  },
  {
    name: 'a finished scan of a running batch',
    by: ({ running, runningBatch }) =>
      `UPDATE nightshift.scans SET state = 'finished', finished_at = now() WHERE public_id = '${running}';
      UPDATE nightshift.batches SET state_since = ${longAgo} WHERE public_id = '${runningBatch}'`,
    finding: ({ running, runningBatch }) =>
      `scan ${running} is finished, and its batch ${runningBatch} is running`,
    isKept: true,
  },
  {
    name: 'an overdue tick',
    by: () => `UPDATE nightshift.schedules SET next_at = ${longAgo}`,
    finding: ({ schedule }) => `schedule ${schedule} had a tick 120 s ago that was not handled`,
    isKept: true,
  },
  {
    name: 'a schedule that is missing in the queue',
    by: () => `UPDATE nightshift.schedules SET revised_at = ${longAgo}`,
    queue: () => [],
    finding: ({ schedule }) => `schedule ${schedule} is not in the queue under its revision 1`,
    isKept: true,
  },
  {
    name: 'a schedule with an outdated revision in the queue',
    by: () => `UPDATE nightshift.schedules SET revised_at = ${longAgo}, revision = 2`,
    finding: ({ schedule }) => `the queue has a job scheduler ${schedule}-1, which is none of the table`,
    isKept: true,
  },
  {
    name: 'a job scheduler without a schedule',
    by: () => 'SELECT 1',
    queue: ({ schedule }) => [`${schedule}-1`, 'sch_0-1'],
    finding: () => 'the queue has a job scheduler sch_0-1, which is none of the table',
    isKept: true,
  },
];
