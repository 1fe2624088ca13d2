import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { tickSchedule } from '../../../src/core/schedules/begin-scan.ts';
import { Conflict, DatabaseUnavailable } from '../../../src/core/errors.ts';
import { openTestScans, type TestScans } from '../../support/scans/test-scans.ts';

/** Runs a schedule manually and begins the scan. */
async function runOnce(api: TestScans, name = 'rivals') {
  const { publicId } = await api.app.schedules.store.run(api.accountId, name);
  await api.tick(await api.app.schedules.store.read(api.accountId, name));
  return publicId;
}

async function newest(api: TestScans, name = 'rivals') {
  const [scan] = await api.app.schedules.store.listScans(api.accountId, name, 1);
  if (scan === undefined) throw new Error('There is no scan.');
  return scan;
}

async function maxCreditsOf(api: TestScans) {
  const { batch } = await newest(api);
  return (await api.steering.summary(batch ?? '')).bounds.maxCreditsMicro;
}

describe('budget', () => {
  test('of a scan bounds its batch', async () => {
    const api = await openTestScans();
    await api.add({ maxCreditsMicro: 600_000n, dayCreditsMicro: 5_000_000n });
    await runOnce(api);
    expect(await maxCreditsOf(api)).toBe(600_000n);
  });

  test('of a day bounds a batch by what is left of it', async () => {
    const api = await openTestScans();
    // Two of four companies have ads, for 0.2 each.
    await api.add({ maxCreditsMicro: 600_000n, dayCreditsMicro: 900_000n });
    await runOnce(api);
    await api.answerAll();
    await runOnce(api);
    expect(await maxCreditsOf(api)).toBe(500_000n);
  });

  test('of a day that is spent skips the scan with the reason, without a batch', async () => {
    const api = await openTestScans();
    await api.add({ dayCreditsMicro: 500_000n });
    await runOnce(api);
    await api.answerAll();
    await runOnce(api);
    // 0.1 is left, which is not enough for a lookup.
    const reason = "the day's budget of 0.5 credits is spent: scans of this day cost 0.4";
    expect(await newest(api)).toMatchObject({ state: 'skipped', reason, batch: null });
    expect(await api.steering.batches.listSummaries(api.accountId, 10)).toHaveLength(1);
  });

  test('of a day resets with the day of the schedule', async () => {
    const api = await openTestScans();
    await api.add({ dayCreditsMicro: 500_000n, timeZone: 'Pacific/Kiritimati' });
    await runOnce(api);
    await api.answerAll();
    await api.database.owner.sql.execute(
      sql`UPDATE nightshift.scans SET begun_at = date_trunc('day', now(), 'Pacific/Kiritimati') - interval '1 second'`,
    );
    await runOnce(api);
    expect(await newest(api)).toMatchObject({ state: 'running' });
    expect(await maxCreditsOf(api)).toBe(500_000n);
  });

  test('of a scan that is spent ends it: open lookups are cancelled free, and the next scan may start', async () => {
    const api = await openTestScans();
    await api.add({ maxCreditsMicro: 400_000n });
    await runOnce(api);
    const { batch } = await newest(api);
    for (const chunk of await api.steering.cut(1)) await api.steering.answer(await api.steering.claim(chunk));
    await api.steering.cut(1);
    expect(await api.steering.summary(batch ?? '')).toMatchObject({ state: 'waiting_for_credits' });
    await api.settle();
    expect(await newest(api)).toMatchObject({ state: 'cancelled' });
    expect(await api.steering.summary(batch ?? '')).toMatchObject({
      state: 'cancelled',
      stateReason: 'the budget of the scan is spent',
    });
    expect(await api.steering.balance()).toMatchObject({ heldMicro: 0n });
    expect(await api.steering.findings()).toEqual([]);
  });

  test('of the account that is spent keeps the scan open, and it resumes after a grant', async () => {
    const api = await openTestScans({ credits: 1n });
    await api.add({ maxCreditsMicro: 4_000_000n }, 10);
    await runOnce(api);
    for (const chunk of await api.steering.cut(1)) await api.steering.answer(await api.steering.claim(chunk));
    await api.steering.cut(1);
    const { batch } = await newest(api);
    expect(await api.steering.summary(batch ?? '')).toMatchObject({ state: 'waiting_for_credits' });
    await api.scans.settle();
    expect(await newest(api)).toMatchObject({ state: 'running' });
    expect(await api.steering.summary(batch ?? '')).toMatchObject({ state: 'waiting_for_credits' });
  });
});

describe('scan whose batch ends', () => {
  test('is finished, and is running again during a retry', async () => {
    const api = await openTestScans();
    await api.add();
    await runOnce(api);
    for (const chunk of await api.steering.cut(100))
      await api.steering.fail(await api.steering.claim(chunk), 'source_refused');
    await api.steering.dispatch.finishBatches();
    await api.scans.settle();
    const finished = await newest(api);
    expect(finished).toMatchObject({ state: 'finished' });
    expect(finished.finishedAt).not.toBeNull();

    await api.steering.control.retry(api.accountId, finished.batch ?? '', 'certain');
    await api.scans.settle();
    expect(await newest(api)).toMatchObject({ state: 'running', finishedAt: null, batch: finished.batch });
    await api.answerAll();
    expect(await newest(api)).toMatchObject({ state: 'finished', batch: finished.batch });
  });

  test('is cancelled once no work of the batch is in progress', async () => {
    const api = await openTestScans();
    await api.add();
    await runOnce(api);
    const { batch } = await newest(api);
    const { batchId } = await api.steering.control.cancel(api.accountId, batch ?? '');
    await api.scans.settle();
    expect(await newest(api)).toMatchObject({ state: 'running' });
    await api.steering.drainFully(batchId ?? 0);
    await api.scans.settle();
    expect(await newest(api)).toMatchObject({ state: 'cancelled' });
  });
});

describe('scan that cannot start', () => {
  const unset = { sources: ['serpapi'] };

  test('waits with the reason, and is retried at its retry time', async () => {
    const api = await openTestScans();
    const schedule = await api.add(unset);
    await runOnce(api);
    const reason = 'it cannot start: not all of its sources (serpapi) are set up';
    expect(await newest(api)).toMatchObject({ state: 'waiting', reason });
    expect(await api.scans.listDue(0, 10)).toEqual([]);
    await api.database.owner.sql.execute(sql`UPDATE nightshift.schedules SET sources = '{upstream}'`);
    await api.tick(schedule);
    expect(await newest(api)).toMatchObject({ state: 'waiting' });
    await api.database.owner.sql.execute(sql`UPDATE nightshift.scans SET try_at = now()`);
    expect(await api.scans.listDue(0, 10)).toEqual([schedule.publicId]);
    await api.tick(schedule);
    expect(await newest(api)).toMatchObject({ state: 'running', reason: null });
  });

  test('becomes missed at the next tick, which makes a new scan', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 2 }, unset);
    await api.tick(schedule);
    const [first] = await api.scansOf(schedule);
    expect(first).toMatchObject({ state: 'waiting' });
    await api.database.owner.sql.execute(
      sql`UPDATE nightshift.scans SET due_at = due_at - interval '1 hour'`,
    );
    await api.setLastTick(schedule, 3);
    await api.tick(schedule);
    expect((await api.scansOf(schedule)).map(({ state }) => state)).toEqual(['missed', 'waiting']);
    expect(await api.missedEvents()).toMatchObject([
      { subject: first?.publicId, payload: { missed: 1, caught_up: false } },
    ]);
  });

  test('becomes missed after the limit of an hour without a tick, with one event', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 2 }, unset);
    await api.tick(schedule);
    await api.scans.giveUp(3_600_000);
    expect(await newest(api)).toMatchObject({ state: 'waiting' });
    await api.database.owner.sql.execute(
      sql`UPDATE nightshift.scans SET created_at = now() - interval '61 minutes'`,
    );
    await Promise.all([api.scans.giveUp(3_600_000), api.scans.giveUp(3_600_000)]);
    expect(await newest(api)).toMatchObject({ state: 'missed' });
    expect(await api.missedEvents()).toHaveLength(1);
  });

  test('is skipped without an event if it is manual', async () => {
    const api = await openTestScans();
    await api.add(unset);
    await runOnce(api);
    await api.scans.giveUp(-60_000);
    expect(await newest(api)).toMatchObject({ state: 'skipped' });
    expect(await api.missedEvents()).toEqual([]);
  });
});

describe('start of a scan', () => {
  test('locks it for the lease, and not longer', async () => {
    const api = await openTestScans();
    const { publicId } = await api.add();
    await api.app.schedules.store.run(api.accountId, 'rivals');
    const scanId = await api.scans.takeWaiting(publicId, 60_000);
    expect(scanId).not.toBeNull();
    expect(await api.scans.takeWaiting(publicId, 60_000)).toBeNull();
    await api.scans.renew(scanId ?? 0n, -1);
    expect(await api.scans.takeWaiting(publicId, 60_000)).toBe(scanId);
  });

  test('leaves no batch if another process started it first', async () => {
    const api = await openTestScans();
    const schedule = await api.add();
    await api.app.schedules.store.run(api.accountId, 'rivals');
    const scanId = await api.scans.takeWaiting(schedule.publicId, 60_000);
    const scan = await api.scans.prepare(scanId ?? 0n);
    if (scan === null) throw new Error('It is to begin.');
    await api.scans.renew(scan.scanId, -1);
    await api.tick(schedule);
    await expect(api.load(scan)).rejects.toThrow(Conflict);
    expect(await api.steering.batches.listSummaries(api.accountId, 10)).toHaveLength(1);
    expect(await api.steering.findings()).toEqual([]);
  });

  test('leaves no batch if the schedule is paused meanwhile', async () => {
    const api = await openTestScans();
    await api.add();
    await api.app.schedules.store.run(api.accountId, 'rivals');
    const { publicId } = await api.app.schedules.store.read(api.accountId, 'rivals');
    const scan = await api.scans.prepare((await api.scans.takeWaiting(publicId, 60_000)) ?? 0n);
    await api.app.schedules.store.pause(api.accountId, 'rivals');
    if (scan === null) throw new Error('It is to begin.');
    await expect(api.load(scan)).rejects.toThrow(Conflict);
    expect(await api.steering.batches.listSummaries(api.accountId, 10)).toEqual([]);
  });

  test('does not record an error of the database as a reason of the scan', async () => {
    const api = await openTestScans();
    const { publicId } = await api.add();
    await api.app.schedules.store.run(api.accountId, 'rivals');
    const load = vi.fn().mockRejectedValue(new DatabaseUnavailable('away'));
    const work = { scans: api.scans, load, leaseMs: 1000, onError: () => undefined };
    await expect(tickSchedule(work, publicId)).rejects.toThrow('away');
    expect(await newest(api)).toMatchObject({ state: 'waiting', reason: null });
  });
});
