import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { openTestPool } from '../../support/db/database.ts';
import { webhookKinds } from '../../../src/core/events/event-envelope.ts';
import { createDeliveryStore } from '../../../db/stores/events/deliveries.ts';
import type { Attempt, EventChannel } from '../../../src/core/events/event-envelope.ts';
import {
  retriesAfter,
  closesConnection,
  hangs,
  openReceiver,
  redirectsTo,
  type Behaviour,
  type Receiver,
} from '../../support/events/receiver.ts';
import { accountId, openEventFixture } from '../../support/events/event-fixture.ts';

const by = { actor: 'test', address: null };

describe('receiver', () => {
  test('gets an event once, with a signature of its secret', async () => {
    const { receiver, api } = await openBoth();
    const { secret } = await api.add('hook', `${receiver.url}/in`);
    const eventId = await api.emit('scn_1', { scan: 'scn_1' });
    await api.deliver();
    const [call] = receiver.calls;
    expect(receiver.calls).toHaveLength(1);
    expect(call).toMatchObject({
      path: '/in',
      headers: { 'webhook-id': eventId, 'content-type': 'application/json' },
    });
    const body = new Webhook(secret ?? '').verify(call?.body ?? '', headersOf(call));
    expect(body).toMatchObject({ type: 'scan.changes', data: { scan: 'scn_1' } });
    expect(await api.deliveries('hook')).toMatchObject([
      { eventId, state: 'delivered', attempts: 1, lastStatus: 204, lastError: null },
    ]);
    await api.deliver();
    expect(receiver.calls).toHaveLength(1);
    expect(api.errors).toEqual([]);
  });

  test('gets a failed event again under the same id until it accepts it', async () => {
    const { receiver, api } = await openBoth();
    await api.add('hook', receiver.url);
    const eventId = await api.emit('scn_1');
    receiver.next(500, 404, closesConnection, 429, 503);
    for (const error of [
      'answered 500',
      'answered 404',
      'was cut off in the middle',
      'answered 429',
      'answered 503',
    ]) {
      await api.deliver();
      expect(await api.deliveries('hook')).toMatchObject([
        { state: 'pending', lastError: expect.stringContaining(error) as string },
      ]);
      await api.skipDelays();
    }
    await api.deliver();
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual(Array(6).fill(eventId));
    expect(await api.deliveries('hook')).toMatchObject([{ state: 'delivered', attempts: 6 }]);
  });

  test('that is unreachable gets the event again', async () => {
    const { receiver, api } = await openBoth();
    await api.add('hook', receiver.url);
    await api.emit('scn_1');
    await receiver.close();
    await api.deliver();
    const lastError = `${receiver.host} cannot be reached (ECONNREFUSED)`;
    expect(await api.deliveries('hook')).toMatchObject([
      { state: 'pending', attempts: 1, lastStatus: null, lastError },
    ]);
  });

  test('gets ten attempts with increasing delays', async () => {
    const { receiver, api } = await openBoth();
    await api.add('hook', receiver.url);
    await api.emit('scn_1');
    receiver.next(...Array<number>(11).fill(500));
    const waits: number[] = [];
    for (let n = 1; n <= 9; n += 1) {
      await api.deliver();
      waits.push(await secondsToNext(api));
      await api.skipDelays();
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    await api.deliver();
    expect(await api.deliveries('hook')).toMatchObject([
      { state: 'dead', attempts: 10, lastStatus: 500, nextAt: null },
    ]);
    await api.skipDelays();
    await api.deliver();
    expect(receiver.calls).toHaveLength(10);
  });

  test('may delay the next attempt with Retry-After, by at most an hour', async () => {
    const { receiver, api } = await openBoth();
    await api.add('hook', receiver.url);
    await api.emit('scn_1');
    receiver.next(retriesAfter('90'), retriesAfter('31536000'));
    await api.deliver();
    expect(await secondsToNext(api)).toBe(90);
    await api.skipDelays();
    await api.deliver();
    expect(await secondsToNext(api)).toBe(3600);
  });

  test('cannot redirect a delivery', async () => {
    const { receiver, api } = await openBoth();
    const inside = await openReceiver();
    await api.add('hook', receiver.url);
    await api.emit('scn_1');
    receiver.next(redirectsTo(inside.url));
    await api.deliver();
    expect(inside.calls).toEqual([]);
    expect(await api.deliveries('hook')).toMatchObject([
      {
        state: 'pending',
        lastStatus: 302,
        lastError: `${receiver.host} answered 302, a redirect: those are not followed`,
      },
    ]);
  });

  test('that answers 410 is disabled, and its pending events are abandoned', async () => {
    const { receiver, api } = await openBoth();
    await api.add('hook', receiver.url);
    const ids = [await api.emit('scn_1'), await api.emit('scn_2'), await api.emit('scn_3')];
    receiver.next(410);
    await api.deliver();
    expect(receiver.calls).toHaveLength(1);
    expect(await api.webhooks.find(accountId, 'hook')).toMatchObject({
      state: 'disabled',
      stateReason: `it wants no more events (${receiver.host} answered 410: it is gone)`,
      pending: 0,
      dead: 3,
    });
    expect(await api.deliveries('hook')).toMatchObject([
      { eventId: ids[0], state: 'dead', lastStatus: 410 },
      {
        eventId: ids[1],
        state: 'dead',
        lastError: expect.stringContaining('the webhook was disabled') as string,
      },
      { eventId: ids[2], state: 'dead' },
    ]);
    await api.emit('scn_4');
    await api.deliver();
    expect(receiver.calls).toHaveLength(1);

    await api.webhooks.change(accountId, 'hook', { state: 'active' }, by);
    expect(await api.webhooks.replay(accountId, 'hook', { kind: 'dead' })).toBe(3);
    await api.deliver();
    expect(receiver.calls.slice(1).map(({ headers }) => headers['webhook-id'])).toEqual(ids);
  });

  test('that sends an endless body is read up to its status only', async () => {
    const { receiver, api } = await openBoth();
    await api.add('hook', receiver.url);
    await api.emit('scn_1');
    receiver.next((response) => {
      response.writeHead(200);
      response.write('x'.repeat(1_000_000));
    });
    await api.deliver();
    expect(await api.deliveries('hook')).toMatchObject([{ state: 'delivered', lastStatus: 200 }]);
  });

  test('on a private host is not called unless the operator allows it, and the error does not reveal its state', async () => {
    const receiver = await openReceiver();
    const api = await openEventFixture();
    await expect(api.add('hook', receiver.url)).rejects.toThrow('it must begin with https://');
    await expect(api.add('hook', receiver.url.replace('http', 'https'))).rejects.toThrow(
      'its host is not public',
    );
    // A webhook whose host was allowed before.
    const allowed = await openEventFixture({ allowedHosts: [receiver.host] });
    await allowed.add('hook', receiver.url);
    await allowed.add('closed', `http://${receiver.host}/closed`);
    await allowed.emit('scn_1');
    await allowed.deliver(api.channel);
    const [open] = await allowed.deliveries('hook');
    const [closed] = await allowed.deliveries('closed');
    expect(open).toMatchObject({
      state: 'pending',
      lastStatus: null,
      lastError: expect.stringContaining('https://') as string,
    });
    expect(closed?.lastError).toBe(open?.lastError);
    expect(receiver.calls).toEqual([]);
  });
});

describe('deliveries', () => {
  test('to one webhook are sent one at a time, in the order of their events', async () => {
    const { receiver, api } = await openBoth();
    await api.add('hook', receiver.url);
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await api.emit(`scn_${n}`));
    let underWay = 0;
    let most = 0;
    const watching: EventChannel = {
      send: async (...event) => {
        most = Math.max(most, (underWay += 1));
        return api.channel.send(...event).finally(() => (underWay -= 1));
      },
    };
    await Promise.all([api.deliver(watching), api.deliver(watching), api.deliver(watching)]);
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual(ids);
    expect(most).toBe(1);
  });

  test('to one webhook are not blocked by another one that hangs', async () => {
    const { receiver, api } = await openBoth();
    await api.add('slow', `${receiver.url}/slow`);
    await api.add('quick', `${receiver.url}/quick`);
    for (let n = 0; n < 5; n += 1) await api.emit(`scn_${n}`);
    const isSlow = (path = '') => path === '/slow';
    const slowOnly: Behaviour = (response, { url }) => isSlow(url) || response.writeHead(204).end();
    receiver.next(...Array<Behaviour>(6).fill(slowOnly));
    const started = api.start();
    const quickStates = async () => (await api.deliveries('quick')).map(({ state }) => state);
    await expect.poll(quickStates).toEqual(Array(5).fill('delivered'));
    await started.close(0);
    expect(receiver.calls.filter(({ path }) => isSlow(path))).toHaveLength(1);
    expect(api.errors).toEqual([]);
  });

  test('are limited to eight at a time per process', async () => {
    const { api } = await openBoth();
    for (let n = 0; n < 10; n += 1) await api.add(`hook ${n}`, `https://example.com/${n}`);
    await api.emit('scn_1');
    let begun = 0;
    const started = api.start({
      send: (_notice, _destination, signal) =>
        new Promise((_resolve, reject) => {
          begun += 1;
          signal.addEventListener('abort', () => reject(new Error('cut off')));
        }),
    });
    await expect.poll(() => begun).toBeGreaterThan(0);
    expect(begun).toBe(8);
    await started.close(0);
    expect(begun).toBe(8);
    expect(api.errors).toEqual([]);
  });

  test('have the time zone of their schedule, of the own account only', async () => {
    const { api } = await openBoth();
    await api.database.owner.pool.query(`
      INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (7, 'other');
      INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources, next_at)
      VALUES ('sch_1', 1, 'rivals', '0 2 * * *', 'Europe/Berlin', 'l.csv', '', '{}', 1, '{upstream}', now()),
        ('sch_7', 7, 'rivals', '0 2 * * *', 'Asia/Tokyo', 'l.csv', '', '{}', 1, '{upstream}', now())`);
    const deliveries = createDeliveryStore(api.database.app.sql);
    const zones: (string | null | undefined)[] = [];
    for (const schedule of ['sch_1', 'sch_7']) {
      await api.add(schedule, 'https://example.com/');
      await api.emit(schedule, { schedule_id: schedule });
      const claimed = await deliveries.claim(webhookKinds, 8, 60_000);
      zones.push(
        ...claimed
          .filter(({ envelope }) => envelope.event === 'scan.changes')
          .map(({ envelope }) => envelope.timeZone),
      );
      await api.database.owner.pool.query('DELETE FROM nightshift.webhook_deliveries');
    }
    expect(zones).toEqual(['Europe/Berlin', null, null]);
  });

  test('that are interrupted by a shutdown are due again, without an attempt', async () => {
    const { receiver, api } = await openBoth();
    await api.add('hook', receiver.url);
    const eventId = await api.emit('scn_1');
    receiver.next(hangs);
    const started = api.start();
    await receiver.received(1);
    await started.close(0);
    expect(await api.deliveries('hook')).toMatchObject([{ state: 'pending', attempts: 0 }]);
    await api.deliver();
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
  });

  test('of a dead process are claimed again after their lease, and not before', async () => {
    const { api } = await openBoth();
    const deliveries = createDeliveryStore(api.database.app.sql);
    await api.add('hook', 'https://example.com/');
    await api.emit('scn_1');
    await api.emit('scn_2');
    const [first] = await deliveries.claim(webhookKinds, 8, 60_000);
    expect(first).toMatchObject({ attempt: 1 });
    expect(await deliveries.claim(webhookKinds, 8, 60_000)).toEqual([]);
    await api.lapse();
    const [second] = await deliveries.claim(webhookKinds, 8, 60_000);
    expect(second).toMatchObject({ attempt: 2, eventKey: first?.eventKey });
    if (first === undefined || second === undefined) throw new Error('Nothing was claimed.');
    // The first process continues: its failure is ignored, its successful delivery is recorded.
    await deliveries.end(first, { kind: 'dead', status: 500, error: 'late' });
    await deliveries.release(first);
    expect(await api.deliveries('hook')).toMatchObject([{ state: 'pending', attempts: 2 }, {}]);
    await deliveries.end(first, { kind: 'delivered', status: 200 });
    await deliveries.end(second, { kind: 'dead', status: 500, error: 'late' });
    expect(await api.deliveries('hook')).toMatchObject([{ state: 'delivered' }, { state: 'pending' }]);
  });

  test('by mail wait for a process with a mail server, without an attempt', async () => {
    const { api } = await openBoth();
    const deliveries = createDeliveryStore(api.database.app.sql);
    await api.database.owner.pool.query(`
      INSERT INTO nightshift.webhooks (public_id, account_id, name, kind, target, events)
      VALUES ('whk_mail', 1, 'jane', 'email', 'jane@example.com', '{scan.changes}')`);
    await api.emit('scn_1');
    expect(await deliveries.claim(['webhook', 'slack'], 8, 60_000)).toEqual([]);
    expect(await api.deliveries('jane')).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(await deliveries.claim(webhookKinds, 8, 60_000)).toMatchObject([{ attempt: 1 }]);
  });

  test('are claimed once by concurrent processes', async () => {
    const { api } = await openBoth();
    for (let n = 0; n < 10; n += 1) await api.add(`hook ${n}`, `https://example.com/${n}`);
    for (let n = 0; n < 3; n += 1) await api.emit(`scn_${n}`);
    const stores = Array.from({ length: 6 }, () => createDeliveryStore(openTestPool(api.database.url).sql));
    const claimed = (await Promise.all(stores.map((store) => store.claim(webhookKinds, 8, 60_000)))).flat();
    const rest = await stores[0]?.claim(webhookKinds, 8, 60_000);
    const webhooks = [...claimed, ...(rest ?? [])].map(({ webhookKey }) => webhookKey);
    expect(webhooks).toHaveLength(10);
    expect(new Set(webhooks).size).toBe(10);
  });

  test('continue after a database error and after a defect, which counts as a failed attempt', async () => {
    const { api } = await openBoth();
    await api.add('hook', 'https://example.com/');
    await api.emit('scn_1');
    const attempts: Attempt[] = [];
    const defective: EventChannel = { send: () => Promise.reject(new TypeError('a defect')) };
    await api.deliver(defective);
    expect(api.errors).toEqual([expect.objectContaining({ message: 'a defect' })]);
    expect(await api.deliveries('hook')).toMatchObject([{ state: 'pending', attempts: 1, lastStatus: null }]);

    await api.skipDelays();
    await api.database.owner.pool.query('ALTER TABLE nightshift.webhook_deliveries RENAME TO away');
    const started = api.start({
      send: async () => {
        attempts.push({ kind: 'delivered', status: 200 });
        return { kind: 'delivered', status: 200 };
      },
    });
    await expect.poll(() => api.errors.length).toBeGreaterThan(1);
    await api.database.owner.pool.query('ALTER TABLE nightshift.away RENAME TO webhook_deliveries');
    await expect.poll(() => attempts).toHaveLength(1);
    await started.close(60_000);
    expect(await api.deliveries('hook')).toMatchObject([{ state: 'delivered' }]);
  });
});

describe('rotated secret', () => {
  test('signs together with the previous one until that expires', async () => {
    const { receiver, api } = await openBoth();
    const { secret: before } = await api.add('hook', receiver.url);
    const { secret: after } = await api.webhooks.rotate(accountId, 'hook', by);
    await api.emit('scn_1');
    await api.deliver();
    await api.database.owner.pool.query('UPDATE nightshift.webhooks SET secret_before_until = now()');
    await api.emit('scn_2');
    await api.deliver();
    const [first, second] = receiver.calls;
    for (const secret of [before, after]) expect(isProvenBy(secret, first)).toBe(true);
    expect([before, after].map((secret) => isProvenBy(secret, second))).toEqual([false, true]);
    expect(before).not.toBe(after);
    expect(after).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});

async function openBoth() {
  const receiver = await openReceiver();
  return { receiver, api: await openEventFixture({ allowedHosts: [receiver.host] }) };
}

type Call = Receiver['calls'][number] | undefined;

function headersOf(call: Call): Record<string, string> {
  return Object.fromEntries(
    Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
}

function isProvenBy(secret: string | null, call: Call): boolean {
  try {
    new Webhook(secret ?? '').verify(call?.body ?? '', headersOf(call));
    return true;
  } catch {
    return false;
  }
}

/** Seconds until the next attempt of the only delivery, by the database's clock. */
async function secondsToNext({ database }: Awaited<ReturnType<typeof openEventFixture>>): Promise<number> {
  const { rows } = await database.owner.pool.query<{ seconds: number }>(
    `SELECT ceil(extract(epoch FROM next_at - now()))::integer AS seconds FROM nightshift.webhook_deliveries`,
  );
  return rows[0]?.seconds ?? 0;
}
