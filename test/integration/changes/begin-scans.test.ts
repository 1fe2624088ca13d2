import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { tickSchedule } from '../../../src/core/schedules/begin-scan.ts';
import { Conflict, DatabaseUnavailable } from '../../../src/core/errors.ts';
import { openScanDesk, type ScanDesk } from '../../support/scans/test-scans.ts';

/** Runs a schedule by hand and begins the scan. */
async function runOnce(desk: ScanDesk, name = 'rivals') {
  const { publicId } = await desk.app.schedules.run(desk.accountId, name);
  await desk.tick(await desk.app.schedules.read(desk.accountId, name));
  return publicId;
}

async function newest(desk: ScanDesk, name = 'rivals') {
  const [scan] = await desk.app.schedules.listScans(desk.accountId, name, 1);
  if (scan === undefined) throw new Error('There is no scan.');
  return scan;
}

async function maxCreditsOf(desk: ScanDesk) {
  const { batch } = await newest(desk);
  return (await desk.steering.summary(batch ?? '')).bounds.maxCreditsMicro;
}

describe('the budget', () => {
  test('of a scan bounds its batch', async () => {
    const desk = await openScanDesk();
    await desk.add({ maxCreditsMicro: 600_000n, dayCreditsMicro: 5_000_000n });
    await runOnce(desk);
    expect(await maxCreditsOf(desk)).toBe(600_000n);
  });

  test('of a day bounds a batch by what is left of it', async () => {
    const desk = await openScanDesk();
    // Two of four companies have ads, for 0.2 each.
    await desk.add({ maxCreditsMicro: 600_000n, dayCreditsMicro: 900_000n });
    await runOnce(desk);
    await desk.answerAll();
    await runOnce(desk);
    expect(await maxCreditsOf(desk)).toBe(500_000n);
  });

  test('of a day that is spent skips the scan, with the reason, and makes no batch', async () => {
    const desk = await openScanDesk();
    await desk.add({ dayCreditsMicro: 500_000n });
    await runOnce(desk);
    await desk.answerAll();
    await runOnce(desk);
    // 0.1 is left, which buys nothing.
    const reason = "the day's budget of 0.5 credits is spent: scans of this day cost 0.4";
    expect(await newest(desk)).toMatchObject({ state: 'skipped', reason, batch: null });
    expect(await desk.steering.batches.listSummaries(desk.accountId, 10)).toHaveLength(1);
  });

  test('of a day begins anew with the day of the schedule', async () => {
    const desk = await openScanDesk();
    await desk.add({ dayCreditsMicro: 500_000n, timeZone: 'Pacific/Kiritimati' });
    await runOnce(desk);
    await desk.answerAll();
    await desk.database.owner.sql.execute(
      sql`UPDATE nightshift.scans SET begun_at = date_trunc('day', now(), 'Pacific/Kiritimati') - interval '1 second'`,
    );
    await runOnce(desk);
    expect(await newest(desk)).toMatchObject({ state: 'running' });
    expect(await maxCreditsOf(desk)).toBe(500_000n);
  });

  test('that is used up ends the scan: what is left is cancelled, free, and the next may begin', async () => {
    const desk = await openScanDesk();
    await desk.add({ maxCreditsMicro: 400_000n });
    await runOnce(desk);
    const { batch } = await newest(desk);
    for (const chunk of await desk.steering.cut(1))
      await desk.steering.answer(await desk.steering.claim(chunk));
    await desk.steering.cut(1);
    expect(await desk.steering.summary(batch ?? '')).toMatchObject({ state: 'waiting_for_credits' });
    await desk.settle();
    expect(await newest(desk)).toMatchObject({ state: 'cancelled' });
    expect(await desk.steering.summary(batch ?? '')).toMatchObject({
      state: 'cancelled',
      stateReason: 'the budget of the scan is spent',
    });
    expect(await desk.steering.balance()).toMatchObject({ heldMicro: 0n });
    expect(await desk.steering.findings()).toEqual([]);
  });

  test('of the account, when it is used up, leaves the scan open: it goes on after a grant', async () => {
    const desk = await openScanDesk({ credits: 1n });
    await desk.add({ maxCreditsMicro: 4_000_000n }, 10);
    await runOnce(desk);
    for (const chunk of await desk.steering.cut(1))
      await desk.steering.answer(await desk.steering.claim(chunk));
    await desk.steering.cut(1);
    const { batch } = await newest(desk);
    expect(await desk.steering.summary(batch ?? '')).toMatchObject({ state: 'waiting_for_credits' });
    await desk.scans.settle();
    expect(await newest(desk)).toMatchObject({ state: 'running' });
    expect(await desk.steering.summary(batch ?? '')).toMatchObject({ state: 'waiting_for_credits' });
  });
});

describe('a scan ends with its batch', () => {
  test('finished, and open again while a retry goes on', async () => {
    const desk = await openScanDesk();
    await desk.add();
    await runOnce(desk);
    for (const chunk of await desk.steering.cut(100))
      await desk.steering.fail(await desk.steering.claim(chunk), 'source_refused');
    await desk.steering.dispatch.finishBatches();
    await desk.scans.settle();
    const finished = await newest(desk);
    expect(finished).toMatchObject({ state: 'finished' });
    expect(finished.finishedAt).not.toBeNull();

    await desk.steering.control.retry(desk.accountId, finished.batch ?? '', 'certain');
    await desk.scans.settle();
    expect(await newest(desk)).toMatchObject({ state: 'running', finishedAt: null, batch: finished.batch });
    await desk.answerAll();
    expect(await newest(desk)).toMatchObject({ state: 'finished', batch: finished.batch });
  });

  test('cancelled, once nothing of it is under way', async () => {
    const desk = await openScanDesk();
    await desk.add();
    await runOnce(desk);
    const { batch } = await newest(desk);
    const { batchId } = await desk.steering.control.cancel(desk.accountId, batch ?? '');
    await desk.scans.settle();
    expect(await newest(desk)).toMatchObject({ state: 'running' });
    await desk.steering.windDownToRest(batchId ?? 0);
    await desk.scans.settle();
    expect(await newest(desk)).toMatchObject({ state: 'cancelled' });
  });
});

describe('a scan that cannot begin', () => {
  const unset = { sources: ['serpapi'] };

  test('waits, says why, and is tried again once its time has come', async () => {
    const desk = await openScanDesk();
    const schedule = await desk.add(unset);
    await runOnce(desk);
    const reason = 'it cannot begin: not all of its sources (serpapi) are set up';
    expect(await newest(desk)).toMatchObject({ state: 'waiting', reason });
    expect(await desk.scans.listDue(0, 10)).toEqual([]);
    await desk.database.owner.sql.execute(sql`UPDATE nightshift.schedules SET sources = '{upstream}'`);
    await desk.tick(schedule);
    expect(await newest(desk)).toMatchObject({ state: 'waiting' });
    await desk.database.owner.sql.execute(sql`UPDATE nightshift.scans SET try_at = now()`);
    expect(await desk.scans.listDue(0, 10)).toEqual([schedule.publicId]);
    await desk.tick(schedule);
    expect(await newest(desk)).toMatchObject({ state: 'running', reason: null });
  });

  test('has been missed when the next tick comes, which makes a scan of its own', async () => {
    const desk = await openScanDesk();
    const schedule = await desk.addTicked({ minutesAgo: 2 }, unset);
    await desk.tick(schedule);
    const [first] = await desk.scansOf(schedule);
    expect(first).toMatchObject({ state: 'waiting' });
    await desk.database.owner.sql.execute(
      sql`UPDATE nightshift.scans SET due_at = due_at - interval '1 hour'`,
    );
    await desk.leaveAlone(schedule, 3);
    await desk.tick(schedule);
    expect((await desk.scansOf(schedule)).map(({ state }) => state)).toEqual(['missed', 'waiting']);
    expect(await desk.missedNotices()).toMatchObject([
      { subject: first?.publicId, about: { missed: 1, caught_up: false } },
    ]);
  });

  test('has been missed after a while without one, and is told of once', async () => {
    const desk = await openScanDesk();
    const schedule = await desk.addTicked({ minutesAgo: 2 }, unset);
    await desk.tick(schedule);
    await desk.scans.giveUp(3_600_000);
    expect(await newest(desk)).toMatchObject({ state: 'waiting' });
    await desk.database.owner.sql.execute(
      sql`UPDATE nightshift.scans SET created_at = now() - interval '61 minutes'`,
    );
    await Promise.all([desk.scans.giveUp(3_600_000), desk.scans.giveUp(3_600_000)]);
    expect(await newest(desk)).toMatchObject({ state: 'missed' });
    expect(await desk.missedNotices()).toHaveLength(1);
  });

  test('by hand is skipped then, without an alarm', async () => {
    const desk = await openScanDesk();
    await desk.add(unset);
    await runOnce(desk);
    await desk.scans.giveUp(-60_000);
    expect(await newest(desk)).toMatchObject({ state: 'skipped' });
    expect(await desk.missedNotices()).toEqual([]);
  });
});

describe('whoever begins a scan', () => {
  test('keeps others from it while it lasts, and nobody longer than a lease', async () => {
    const desk = await openScanDesk();
    const { publicId } = await desk.add();
    await desk.app.schedules.run(desk.accountId, 'rivals');
    const scanId = await desk.scans.takeWaiting(publicId, 60_000);
    expect(scanId).not.toBeNull();
    expect(await desk.scans.takeWaiting(publicId, 60_000)).toBeNull();
    await desk.scans.renew(scanId ?? 0n, -1);
    expect(await desk.scans.takeWaiting(publicId, 60_000)).toBe(scanId);
  });

  test('leaves no batch behind when somebody else was faster', async () => {
    const desk = await openScanDesk();
    const schedule = await desk.add();
    await desk.app.schedules.run(desk.accountId, 'rivals');
    const scanId = await desk.scans.takeWaiting(schedule.publicId, 60_000);
    const scan = await desk.scans.prepare(scanId ?? 0n);
    if (scan === null) throw new Error('It is to begin.');
    await desk.scans.renew(scan.scanId, -1);
    await desk.tick(schedule);
    await expect(desk.load(scan)).rejects.toThrow(Conflict);
    expect(await desk.steering.batches.listSummaries(desk.accountId, 10)).toHaveLength(1);
    expect(await desk.steering.findings()).toEqual([]);
  });

  test('leaves no batch behind when the schedule is paused meanwhile', async () => {
    const desk = await openScanDesk();
    await desk.add();
    await desk.app.schedules.run(desk.accountId, 'rivals');
    const { publicId } = await desk.app.schedules.read(desk.accountId, 'rivals');
    const scan = await desk.scans.prepare((await desk.scans.takeWaiting(publicId, 60_000)) ?? 0n);
    await desk.app.schedules.pause(desk.accountId, 'rivals');
    if (scan === null) throw new Error('It is to begin.');
    await expect(desk.load(scan)).rejects.toThrow(Conflict);
    expect(await desk.steering.batches.listSummaries(desk.accountId, 10)).toEqual([]);
  });

  test('takes trouble of our own servers for no fault of the scan', async () => {
    const desk = await openScanDesk();
    const { publicId } = await desk.add();
    await desk.app.schedules.run(desk.accountId, 'rivals');
    const load = vi.fn().mockRejectedValue(new DatabaseUnavailable('away'));
    const work = { scans: desk.scans, load, leaseMs: 1000, onError: () => undefined };
    await expect(tickSchedule(work, publicId)).rejects.toThrow('away');
    expect(await newest(desk)).toMatchObject({ state: 'waiting', reason: null });
  });
});
