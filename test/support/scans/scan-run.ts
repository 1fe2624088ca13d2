import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import type { OpenedBackend } from '../queue/backends.ts';
import { openTestScans } from './test-scans.ts';
import { loadSample } from '../sources/snapshots.ts';
import { listFindings } from '../db/findings.ts';

/** States of the scans of all schedules. */
interface RunScan extends Record<string, unknown> {
  readonly schedule: string;
  readonly cause: string;
  readonly state: string;
  readonly lookups: number;
  readonly open: number;
}

/** Schedules with four companies each and a tick that was due two minutes ago, or none; no process works on them yet. */
export async function openScanRun(opened: OpenedBackend, schedules: number) {
  const service = await openTestScans({ opened });
  const { database } = service;
  await loadSample(createSnapshotStore(database.app));
  for (let n = 1; n <= schedules; n += 1)
    await service.addHourly({ minutesAgo: 2 }, { name: `rivals ${n}`, sources: ['sample'] });

  /**
   * Makes the tick of every schedule due, as if no dispatcher had run for half an hour. That long, because on a busy machine a
   * minute may start between two schedules, or between their creation and this call.
   */
  async function makeDue(): Promise<void> {
    await database.owner.sql.execute(
      sql`UPDATE nightshift.schedules SET ticked_to = now() - interval '30 minutes', next_at = now() - interval '2 minutes'`,
    );
  }

  /** Makes the tick of the n-th schedule due, in the same way. */
  async function makeOneDue(n: number): Promise<void> {
    await database.owner.sql.execute(
      sql`UPDATE nightshift.schedules SET ticked_to = now() - interval '30 minutes', next_at = now() - interval '2 minutes'
        WHERE name = ${`rivals ${n}`}`,
    );
  }

  async function readScans(): Promise<readonly RunScan[]> {
    const { rows } = await database.owner.sql.execute<RunScan>(
      sql`SELECT s.name AS schedule, n.cause, n.state, count(l.id)::integer AS lookups,
          (count(l.id) FILTER (WHERE l.outcome IS NULL))::integer AS open
        FROM nightshift.scans n JOIN nightshift.schedules s ON s.id = n.schedule_id
        LEFT JOIN nightshift.all_lookups l ON l.batch_id = n.batch_id
        GROUP BY n.id, s.id ORDER BY s.id, n.id`,
    );
    return rows;
  }

  /** Resolves when every schedule has a scan and all scans have ended. */
  const untilScansEnd = (timeoutMs: number) =>
    vi.waitFor(
      async () => {
        const scans = await readScans();
        const over = scans.filter(({ state }) => !['waiting', 'running'].includes(state));
        if (over.length < scans.length || scans.length < schedules)
          throw new Error(`${over.length} of ${scans.length} scans are over.`);
      },
      { timeout: timeoutMs, interval: 200 },
    );

  return {
    ...{ service, database, makeDue, makeOneDue, readScans, untilScansEnd },
    environment: { ...opened.environment, NIGHTSHIFT_LEASE_SECONDS: '1' },
    /** One scan per tick, of one batch, with a lookup for every company; and the findings of `verify`. */
    readResult: async () => ({
      scans: (await readScans()).map(({ schedule, cause, state, lookups, open }) =>
        [schedule, cause, state, lookups, open].join(' '),
      ),
      batches: (await service.steering.batches.listSummaries(service.accountId, 1000)).length,
      findings: await listFindings(database),
    }),
  };
}

/** Expected state after a run. */
export function expectedResult(schedules: number) {
  return {
    scans: Array.from({ length: schedules }, (_, i) => `rivals ${i + 1} tick finished 4 0`),
    batches: schedules,
    findings: [],
  };
}
