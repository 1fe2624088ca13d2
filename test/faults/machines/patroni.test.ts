import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../db/connection/postgres-client.ts';
import { openPatroni, patroniLosses, type PatroniCluster } from '../../support/db/patroni.ts';
import { patroniUnavailableReason } from '../../support/db/patroni-programs.ts';
import { openLossRun } from '../../support/faults/primary-losses.ts';
import { recordFigures, summarizeDurations } from '../../support/faults/proof-figures.ts';
import { randomRuns, runsAll } from '../../support/faults/random-runs.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { takeSeed } from '../../support/seed.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';

const reason = patroniUnavailableReason();
const losses = randomRuns(8);
const secondsPerLoss = 20;
const rowsPerLoss = 300;

describe.skipIf(reason !== null && process.env['CI'] !== 'true')(
  `under Patroni${reason === null ? '' : ` (not run: ${reason})`}`,
  { timeout: 600_000 + losses * 180_000 },
  () => {
    test('through HAProxy, losses of the primary lose nothing that was acknowledged', async () => {
      await runLosses('HAProxy', ({ proxied }) => ({ DATABASE_URL: proxied.primary }));
    });

    test.runIf(runsAll)('with a URL of all servers, losses lose nothing that was acknowledged', async () => {
      await runLosses('a URL of all servers', ({ url }) => ({ DATABASE_URL: url }));
    });
  },
);

async function runLosses(
  way: string,
  environmentOf: (cluster: PatroniCluster) => Environment,
): Promise<void> {
  const seed = takeSeed();
  const random = numbersOf(`patroni|${seed}`);
  const cluster = await openPatroni('night');
  onTestFinished(cluster.close);
  const run = await openLossRun({
    ownerUrl: cluster.url,
    environment: environmentOf(cluster),
    rows: rowsPerLoss * losses,
    seconds: secondsPerLoss * losses,
    seed,
  });
  const pauses: number[] = [];
  const shift = random(patroniLosses.length);
  for (let lost = 0; lost < losses; lost += 1) {
    const loss = patroniLosses[(lost + shift) % patroniLosses.length] ?? 'kill';
    await run.untilDone((lost + random(90) / 100) / losses, 20);
    const pending = await commitAfterLoss(cluster);
    const failOver = () => cluster.failOver(loss);
    const { sincePromotionMs } = await run.outlast(`${loss}, loss ${lost + 1}`, { failOver });
    pauses.push(sincePromotionMs);
    await cluster.repair(pending.begin);
    await pending.expectRejected();
  }
  const { deadLetters, starts } = await run.finish();
  recordFigures(`${losses} losses of a primary of Patroni, through ${way}`, {
    seed,
    'first outcome after each promotion': summarizeDurations(pauses),
    'starts that counted': starts,
    'dead letters tried again': deadLetters,
  });
  if (runsAll) expect(Math.max(...pauses)).toBeLessThan(15_000);
}

/** A transaction of the primary that is lost. It commits after the promotion, when the old primary runs again, and must not count as done. */
async function commitAfterLoss(cluster: PatroniCluster) {
  const client = createClient({ connectionString: await cluster.primaryUrl(), application_name: 'test' });
  await client.connect();
  await client.query('BEGIN');
  // Writes without a lock that the workers would wait for.
  await client.query("SELECT pg_logical_emit_message(true, 'test', '')");
  let committed: Promise<'done' | 'rejected'> | undefined;
  const commit = () =>
    client.query('COMMIT').then(
      () => 'done' as const,
      () => 'rejected' as const,
    );
  return {
    async begin() {
      committed = commit();
      await wait(2000);
    },
    async expectRejected() {
      committed ??= commit();
      expect(await committed).toBe('rejected');
      await client.end();
    },
  };
}
