import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failpoints } from '../../src/core/failpoint.ts';
import { openOnPostgres } from '../support/queue/backends.ts';
import { useCrashingNightshift } from '../support/crash/crashing-nightshift.ts';
import type { TestDatabase } from '../support/db/database.ts';
import { listFindings } from '../support/db/findings.ts';
import { readNightshift, startNightshift } from '../support/cli/nightshift-process.ts';
import { readStoredEvents } from '../support/events/read-events.ts';
import { openReceiver } from '../support/events/receiver.ts';

const crashing = useCrashingNightshift();

/** Number of deliveries of an event whose first delivery dies at the failpoint: it is repeated unless it was recorded. */
const arrivals = { 'delivery:claimed': 1, 'delivery:sent': 2, 'delivery:written-down': 1 } as const;

test.each(failpoints.delivery)('a process killed at %s delivers every event under one id', async (point) => {
  const receiver = await openReceiver();
  const { database, environment: servers } = await openOnPostgres();
  const environment = { ...servers, NIGHTSHIFT_ALLOWED_HOSTS: receiver.host };
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-crash-'));
  await readNightshift(['webhook', 'add', 'hook', '--url', receiver.url], environment);
  for (const subject of ['scn_1', 'scn_2', 'scn_3'])
    await database.app.pool.query(`SELECT nightshift.emit_event(1, 'scan.changes', '${subject}', '{}')`);

  const crashed = await crashing.run(['work'], { environment, folder, point });
  expect(crashed.signal, crashed.stderr).toBe('SIGKILL');
  await lapse(database);
  const worker = startNightshift(['work'], environment);
  await expect.poll(() => statesOf(database)).toEqual(Array(3).fill('delivered'));
  await worker.stop();

  const reported = receiver.calls.map(({ headers }) => headers['webhook-id']);
  const ids = (await readStoredEvents(database)).map(({ eventId }) => eventId);
  expect(reported).toEqual([...Array<string>(arrivals[point] - 1).fill(ids[0] ?? ''), ...ids]);
  expect(await listFindings(database)).toEqual([]);
});

/** Ends the lease of the dead process without waiting. */
async function lapse({ owner }: TestDatabase): Promise<void> {
  await owner.pool.query(
    `UPDATE nightshift.webhook_deliveries SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL`,
  );
}

async function statesOf({ owner }: TestDatabase): Promise<readonly string[]> {
  const { rows } = await owner.pool.query<{ state: string }>(
    'SELECT state FROM nightshift.webhook_deliveries ORDER BY event_id',
  );
  return rows.map(({ state }) => state);
}
