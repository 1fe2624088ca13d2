import { expect, onTestFinished, test } from 'vitest';
import { startNightshift } from '../../support/cli/nightshift-process.ts';
import type { TestDatabase } from '../../support/db/database.ts';
import { settingsOn } from '../../support/hosts/network-faults.ts';
import { hostsUnavailableReason } from '../../support/hosts/network-tools.ts';
import { openWorkerHost } from '../../support/hosts/worker-hosts.ts';
import { openServersOnPostgres } from '../../support/storm/storm-servers.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const reason = hostsUnavailableReason();
const why = reason === null ? '' : ` (not run: ${reason})`;

test.skipIf(reason !== null)(
  `Postgres ends the sessions of a host that does not come back, so that others find a connection${why}`,
  { timeout: faultWaitMsMax },
  async () => {
    const { database, environment } = await openServersOnPostgres();
    const host = openWorkerHost({ counted: [Number(new URL(database.url).port)] });
    onTestFinished(host.close);
    const settings = settingsOn(host, { ...environment, NIGHTSHIFT_SOURCES: 'sample' });
    const worker = startNightshift(['work'], settings, { host });
    onTestFinished(worker.kill);
    await expect.poll(() => countSessions(database)).toBeGreaterThan(3);
    // Its connections end without a word, like those of a machine without power.
    host.cut('both ways');
    await worker.kill();
    expect(await countSessions(database)).toBeGreaterThan(3);
    await expect.poll(() => countSessions(database), { timeout: 120_000, interval: 500 }).toBe(0);
  },
);

/** Sessions of the product. */
async function countSessions({ owner }: TestDatabase): Promise<number> {
  const { rows } = await owner.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE application_name LIKE 'nightshift%' AND application_name <> 'nightshift test'`,
  );
  return rows[0]?.count ?? 0;
}
