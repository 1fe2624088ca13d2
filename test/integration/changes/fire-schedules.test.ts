import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openTestScans, type TestScans } from '../../support/scans/test-scans.ts';

const summary = ({ cause, state, ticks }: { cause: string; state: string; ticks: number }) =>
  `${cause} ${state} ${ticks}`;

describe('tick', () => {
  test('on time makes one scan with a batch of the file', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 2 });
    await api.tick(schedule);
    const [scan, ...others] = await api.scansOf(schedule);
    expect(others).toEqual([]);
    expect(scan).toMatchObject({ cause: 'tick', state: 'running', ticks: 1, reason: null });
    expect(await api.steering.summary(scan?.batch ?? '')).toMatchObject({
      fileName: 'rivals.csv',
      state: 'running',
      operations: ['ads_search'],
      sources: ['upstream'],
      lookups: { total: 4 },
    });
    expect(await api.missedEvents()).toEqual([]);
    expect(await api.steering.findings()).toEqual([]);
  });

  test('that several processes handle concurrently makes one scan and one batch', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 2 });
    await Promise.all(Array.from({ length: 8 }, () => api.tick(schedule)));
    expect((await api.scansOf(schedule)).map(summary)).toEqual(['tick running 1']);
    expect(await api.steering.batches.listSummaries(api.accountId, 10)).toHaveLength(1);
  });

  test('that the queue delivers repeatedly makes one scan', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 2 });
    await api.tick(schedule);
    await api.setLastTick(schedule, 4);
    await api.answerAll();
    await api.tick(schedule);
    expect((await api.scansOf(schedule)).map(summary)).toEqual(['tick finished 1']);
  });

  test('that is not due makes no scan', async () => {
    const api = await openTestScans();
    const schedule = await api.add();
    await api.tick(schedule);
    expect(await api.scansOf(schedule)).toEqual([]);
  });

  test('overtaken by the next one within minutes is skipped, without an event', async () => {
    const api = await openTestScans();
    const schedule = await api.add({ cron: '* * * * *' });
    await api.setLastTick(schedule, 4);
    await api.tick(schedule);
    const scans = await api.scansOf(schedule);
    expect(scans.map(({ state }) => state)).toEqual(['skipped', 'running']);
    expect(scans[0]).toMatchObject({ reason: 'the next one was already due' });
    expect(await api.missedEvents()).toEqual([]);
  });
});

describe('missed ticks', () => {
  test('are caught up by one scan, with an event', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 10, hours: 2 });
    await api.tick(schedule);
    const [scan, ...others] = await api.scansOf(schedule);
    expect(others).toEqual([]);
    expect(scan).toMatchObject({ cause: 'catch_up', state: 'running', ticks: 3 });
    const first = new Date((scan?.dueAt.getTime() ?? 0) - 2 * 3_600_000);
    const payload = { schedule: 'rivals', schedule_id: schedule.publicId, missed: 3, caught_up: true };
    expect(await api.missedEvents()).toEqual([
      {
        subject: scan?.publicId,
        payload: { ...payload, first: first.toISOString(), last: scan?.dueAt.toISOString() },
      },
    ]);
  });

  test('are recorded as missed without catch-up, with an event', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 10, hours: 2 }, { catchUp: 'none' });
    await api.tick(schedule);
    const scans = await api.scansOf(schedule);
    expect(scans.map(summary)).toEqual(['tick missed 3']);
    expect(await api.missedEvents()).toMatchObject([
      { subject: scans[0]?.publicId, payload: { missed: 3, caught_up: false } },
    ]);
  });

  test.each(['none', 'once'] as const)(
    'are replaced by a tick on time, with catch-up %s',
    async (catchUp) => {
      const api = await openTestScans();
      const schedule = await api.addTicked({ minutesAgo: 2, hours: 2 }, { catchUp });
      await api.tick(schedule);
      const scans = await api.scansOf(schedule);
      expect(scans.map(summary)).toEqual(['tick missed 2', 'tick running 1']);
      expect(await api.missedEvents()).toMatchObject([{ payload: { missed: 2, caught_up: true } }]);
    },
  );

  test('make one event under concurrent processes', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 10, hours: 2 }, { catchUp: 'none' });
    await Promise.all(Array.from({ length: 4 }, () => api.tick(schedule)));
    expect(await api.missedEvents()).toHaveLength(1);
  });

  test('are delivered to the webhooks of the schedule only', async () => {
    const api = await openTestScans();
    await addWebhook(api, 'team');
    await addWebhook(api, 'everybody');
    const schedule = await api.addTicked({ minutesAgo: 10 }, { catchUp: 'none', notify: ['team'] });
    await api.tick(schedule);
    const { rows } = await api.database.owner.sql.execute<{ name: string }>(
      sql`SELECT w.name FROM nightshift.webhook_deliveries d JOIN nightshift.webhooks w ON w.id = d.webhook_id`,
    );
    expect(rows).toEqual([{ name: 'team' }]);
  });
});

describe('scan that is still open', () => {
  /** A schedule with a running scan and a due tick. */
  async function openBusy(overlap: 'skip' | 'queue') {
    const api = await openTestScans();
    const schedule = await api.addHourly({ minutesAgo: 2 }, { overlap });
    await api.app.schedules.store.run(api.accountId, 'rivals');
    await api.tick(schedule);
    await api.setLastTick(schedule, 4);
    await api.tick(schedule);
    return { api, schedule };
  }

  test('skips the tick, with its batch in the reason', async () => {
    const { api, schedule } = await openBusy('skip');
    const [running, skipped, ...others] = await api.scansOf(schedule);
    expect(others).toEqual([]);
    expect(running).toMatchObject({ cause: 'manual', state: 'running' });
    expect(skipped).toMatchObject({ cause: 'tick', state: 'skipped' });
    expect(skipped?.reason).toContain(`(${running?.batch}) still runs`);
    expect(await api.missedEvents()).toEqual([]);
  });

  test('with overlap queue delays the tick until it has ended', async () => {
    const { api, schedule } = await openBusy('queue');
    const before = await api.scansOf(schedule);
    expect(before.map(summary)).toEqual(['manual running 1', 'tick waiting 1']);
    expect(before[1]?.reason).toContain('still runs');
    await api.tick(schedule);
    expect((await api.scansOf(schedule)).map(summary)).toEqual(['manual running 1', 'tick waiting 1']);
    await api.answerAll();
    await api.tick(schedule);
    expect((await api.scansOf(schedule)).map(summary)).toEqual(['manual finished 1', 'tick running 1']);
  });

  test('with overlap queue delays one tick, and skips the next', async () => {
    const { api, schedule } = await openBusy('queue');
    const { rowCount } = await api.database.owner.sql.execute(
      sql`UPDATE nightshift.scans SET due_at = due_at - interval '1 day' WHERE state = 'waiting'`,
    );
    expect(rowCount).toBe(1);
    await api.setLastTick(schedule, 4);
    await api.tick(schedule);
    const scans = await api.scansOf(schedule);
    expect(scans.map(summary)).toEqual(['manual running 1', 'tick waiting 1', 'tick skipped 1']);
    expect(scans[2]?.reason).toContain('one at a time waits');
  });

  test.each(['skip', 'queue'] as const)('rejects a second manual run with overlap %s', async (overlap) => {
    const { api, schedule } = await openBusy(overlap);
    const before = await api.scansOf(schedule);
    await expect(api.app.schedules.store.run(api.accountId, 'rivals')).rejects.toThrow(
      'No scan was started: ',
    );
    expect(await api.scansOf(schedule)).toEqual(before);
  });

  test('starts the next one when it ends', async () => {
    const { api, schedule } = await openBusy('skip');
    await api.answerAll();
    await api.app.schedules.store.run(api.accountId, 'rivals');
    await api.tick(schedule);
    const scans = await api.scansOf(schedule);
    expect(scans.map(({ state }) => state)).toEqual(['finished', 'skipped', 'running']);
    expect(scans[0]?.finishedAt).not.toBeNull();
  });

  test('does not catch up missed ticks, because their scan would overlap', async () => {
    const api = await openTestScans();
    const schedule = await api.addHourly({ minutesAgo: 10 });
    await api.app.schedules.store.run(api.accountId, 'rivals');
    await api.tick(schedule);
    await api.setLastTick(schedule, 71);
    await api.tick(schedule);
    expect((await api.scansOf(schedule)).map(summary)).toEqual(['manual running 1', 'tick missed 2']);
    expect(await api.missedEvents()).toMatchObject([{ payload: { missed: 2, caught_up: false } }]);
  });
});

describe('paused schedule', () => {
  test('does not tick, and does not record missed ticks', async () => {
    const api = await openTestScans();
    const schedule = await api.addHourly({ minutesAgo: 10 });
    await api.app.schedules.store.pause(api.accountId, 'rivals');
    await api.database.owner.sql.execute(
      sql`UPDATE nightshift.schedules SET ticked_to = now() - interval '3 hours'`,
    );
    await api.tick(schedule);
    expect(await api.scansOf(schedule)).toEqual([]);
    const resumed = await api.app.schedules.store.resume(api.accountId, 'rivals');
    expect(resumed.state).toBe('active');
    await api.tick(schedule);
    expect(await api.scansOf(schedule)).toEqual([]);
    expect(await api.missedEvents()).toEqual([]);
  });

  test('reports ticks that were missed before the pause', async () => {
    const api = await openTestScans();
    const schedule = await api.addTicked({ minutesAgo: 10, hours: 1 }, { catchUp: 'none' });
    await api.app.schedules.store.pause(api.accountId, 'rivals');
    expect((await api.scansOf(schedule)).map(summary)).toEqual(['tick missed 2']);
  });

  test.each(['pause', 'remove'] as const)('skips scans that have not started: %s', async (move) => {
    const api = await openTestScans();
    const schedule = await api.add();
    await api.app.schedules.store.run(api.accountId, 'rivals');
    await api.app.schedules.store[move](api.accountId, 'rivals');
    await api.tick(schedule);
    const { rows } = await api.database.owner.sql.execute(
      sql`SELECT state, reason, batch_id FROM nightshift.scans WHERE schedule_id = ${schedule.scheduleId}`,
    );
    const reason = `the schedule was ${move}d before it began`;
    expect(rows).toEqual([{ state: 'skipped', reason, batch_id: null }]);
  });

  test('can be run manually', async () => {
    const api = await openTestScans();
    const schedule = await api.add();
    await api.app.schedules.store.pause(api.accountId, 'rivals');
    await api.app.schedules.store.run(api.accountId, 'rivals');
    await api.tick(schedule);
    expect((await api.scansOf(schedule)).map(summary)).toEqual(['manual running 1']);
  });
});

async function addWebhook({ accountId, database }: TestScans, name: string): Promise<void> {
  await database.owner.sql.execute(
    sql`INSERT INTO nightshift.webhooks (public_id, account_id, name, kind, target, events)
      VALUES (${`whk_${name}`}, ${accountId}, ${name}, 'slack', 'https://example.com', '{schedule.missed}')`,
  );
}
