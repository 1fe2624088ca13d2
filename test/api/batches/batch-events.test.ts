import { describe, expect, test } from 'vitest';
import { followEvents, type Follower, type StreamEvent } from '../../support/api/follow-events.ts';
import { codesOf, useTestApi, type TestApi } from '../../support/api/test-api.ts';

const path = '/v1/batches';

describe('GET /v1/batches/{id}/events', () => {
  const api = useTestApi();

  test('returns text/event-stream, with the batch as first event with an id', async () => {
    const { id, key } = await list(api());
    const follower = await follow(api(), key, id);
    expect(follower.response.status).toBe(200);
    expect(follower.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(follower.response.headers.get('cache-control')).toMatch(/no-(store|cache)/);
    const first = await follower.next();
    expect(first).toMatchObject({ event: 'progress', id: expect.stringMatching(/^\S+$/) as string });
    expect(first?.data).toEqual(await read(api(), key, id));
  });

  test('sends each change with its own id, and ends with `end`', async () => {
    const { id, key } = await list(api());
    const follower = await follow(api(), key, id);
    const events = [await follower.next()];
    for (const move of ['pause', 'resume', 'cancel']) {
      await control(api(), key, id, move);
      events.push(await follower.next());
    }
    expect(events.map((event) => [event?.event, stateOf(event)])).toEqual([
      ['progress', 'running'],
      ['progress', 'paused'],
      ['progress', 'running'],
      ['end', 'cancelled'],
    ]);
    // The batch is in the same state again, and the same state has the same id.
    expect(new Set(events.map((event) => event?.id)).size).toBe(3);
    expect(await follower.next()).toBeNull();
  });

  test('does not repeat events up to Last-Event-ID', async () => {
    const { id, key } = await list(api());
    const before = await follow(api(), key, id);
    const reported = await before.next();
    before.leave();
    const after = await follow(api(), key, id, { 'Last-Event-ID': reported?.id ?? '' });
    expect(after.response.status).toBe(200);
    // Long enough for a repeated event to arrive before anything changes.
    await pause(2500);
    await control(api(), key, id, 'pause');
    const next = await after.next();
    expect([next?.event, stateOf(next)]).toEqual(['progress', 'paused']);
    expect(next?.id).not.toBe(reported?.id);
  });

  test('sends the current batch for a Last-Event-ID from before a change', async () => {
    const { id, key } = await list(api());
    const before = await follow(api(), key, id);
    const reported = await before.next();
    before.leave();
    await control(api(), key, id, 'pause');
    const after = await follow(api(), key, id, { 'Last-Event-ID': reported?.id ?? '' });
    expect(stateOf(await after.next())).toBe('paused');
  });

  test('sends the current batch for an unknown Last-Event-ID', async () => {
    const { id, key } = await list(api());
    const follower = await follow(api(), key, id, { 'Last-Event-ID': 'nonsense' });
    expect(stateOf(await follower.next())).toBe('running');
  });

  test('of a batch that has ended sends `end` at once and closes the stream', async () => {
    const { id, key } = await list(api());
    await control(api(), key, id, 'cancel');
    const follower = await follow(api(), key, id);
    const only = await follower.next();
    expect(only).toMatchObject({ event: 'end', data: await read(api(), key, id) });
    expect(await follower.next()).toBeNull();
    const again = await follow(api(), key, id, { 'Last-Event-ID': only?.id ?? '' });
    expect((await again.next())?.event).toBe('end');
    expect(await again.next()).toBeNull();
  });

  test('sends two clients the same events with the same ids', async () => {
    const { id, key } = await list(api());
    const [one, other] = [await follow(api(), key, id), await follow(api(), key, id)];
    expect(await one.next()).toEqual(await other.next());
  });

  test('returns 404 for an unknown id and for a batch of another account', async () => {
    const { id } = await list(api());
    await api().createAccount('stranger');
    const key = await api().createKey({ account: 'stranger' });
    for (const unknown of [id, 'bat_01a1ff734ad87655b2c761ba36458456', 'nonsense']) {
      const answer = await api().call('GET', `${path}/${unknown}/events`, { key });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    }
  });
});

describe('event streams that clients close', () => {
  const api = useTestApi();

  test('release their connections for new streams and other requests', async () => {
    const { id, key } = await list(api());
    // More in total than the limit of concurrent streams, most of them closed before the second event.
    for (let round = 0; round < 6; round += 1) {
      const followers = await Promise.all(Array.from({ length: 50 }, () => settled(api(), key, id)));
      await Promise.all(followers.slice(0, 25).map((follower) => follower.next()));
      for (const follower of followers) follower.leave();
    }
    await control(api(), key, id, 'pause');
    const last = await settled(api(), key, id);
    expect(stateOf(await last.next())).toBe('paused');
    const others = await Promise.all(
      Array.from({ length: 30 }, () => api().call('GET', `${path}/${id}`, { key })),
    );
    expect(others.every(({ status }) => status === 200)).toBe(true);
    await expect.poll(() => busyConnections(api())).toBe(0);
  });

  test('are limited per account', async () => {
    const { id, key } = await list(api());
    await api().createAccount('other', 10n);
    const theirs = await api().createKey({ account: 'other' });
    const rows = { rows: [{ company_domain: 'nike.com' }] };
    const batch = (await api().call('POST', path, { key: theirs, json: rows })).json() as { id: string };
    for (let n = 0; n < 50; n += 1) await settled(api(), key, id);
    const one = await follow(api(), key, id);
    expect([one.response.status, one.response.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await follow(api(), theirs, batch.id)).response.status).toBe(200);
  });

  test('are not opened by HEAD', async () => {
    const { id, key } = await list(api());
    for (let round = 0; round < 9; round += 1) {
      await Promise.all(
        Array.from({ length: 25 }, () => api().call('HEAD', `${path}/${id}/events`, { key })),
      );
    }
    const follower = await settled(api(), key, id);
    expect(stateOf(await follower.next())).toBe('running');
  });
});

describe('event stream of a running batch', () => {
  const api = useTestApi({ workers: true });

  test('lasts from start to end of the batch, and ends with its result', async () => {
    const { id, key } = await list(api(), ['nike.com', 'airbnb.com', 'no-ads-here.com', 'not a domain']);
    const follower = await follow(api(), key, id);
    const events: (StreamEvent | null)[] = [];
    for (let event = await follower.next(); event !== null; event = await follower.next()) events.push(event);
    expect(events.slice(0, -1).every((event) => event?.event === 'progress')).toBe(true);
    expect(new Set(events.map((event) => event?.id)).size).toBe(events.length);
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      data: { id, state: 'finished', lookups: { open: 0, found: 2 }, rows: { total: 4, rejected: 1 } },
    });
    expect(events.at(-1)?.data).toEqual(await read(api(), key, id));
  });
});

/** Follows a batch until the test ends. */
function follow(
  { url }: TestApi,
  key: string,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Follower> {
  return followEvents(`${url}${path}/${id}/events`, { 'X-API-Key': key, ...headers });
}

/** Follows a batch as soon as a stream is free: the server detects closed connections a moment later. */
async function settled(api: TestApi, key: string, id: string): Promise<Follower> {
  for (let tries = 0; tries < 20; tries += 1) {
    const follower = await follow(api, key, id);
    if (follower.response.status === 200) return follower;
    expect(follower.response.status).toBe(429);
    follower.leave();
    await pause(250);
  }
  throw new Error('There is no room for another follower.');
}

function stateOf(event: StreamEvent | null): string {
  return (event?.data as { readonly state: string } | undefined)?.state ?? 'ended';
}

async function list(
  api: TestApi,
  companies: readonly string[] = ['nike.com'],
): Promise<{ readonly id: string; readonly key: string }> {
  const key = await api.createKey();
  const headers = { 'Content-Type': 'text/csv' };
  const answer = await api.call('POST', path, { key, headers, body: `website\n${companies.join('\n')}\n` });
  expect(answer.status).toBe(201);
  return { key, id: (answer.json() as { readonly id: string }).id };
}

async function control(api: TestApi, key: string, id: string, move: string): Promise<void> {
  expect((await api.call('POST', `${path}/${id}/${move}`, { key })).status).toBe(200);
}

async function read(api: TestApi, key: string, id: string): Promise<unknown> {
  return (await api.call('GET', `${path}/${id}`, { key })).json();
}

/** Connections of the database with a running statement, without the one of this query. */
async function busyConnections({ database }: TestApi): Promise<number> {
  const found = await database.owner.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`,
  );
  return found.rows[0]?.n ?? 0;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
