import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultScopes } from '../../../src/core/accounts/api-key.ts';
import { codesOf, useTestApi, type ProblemBody } from '../../support/api/test-api.ts';
import { openReceiver } from '../../support/events/receiver.ts';

const api = useTestApi({ workers: true, settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' } });
const path = '/v1/webhooks';
let key: string;

beforeAll(async () => {
  key = await api().createKey({ scopes: [...defaultScopes, 'admin'] });
});

interface Made {
  readonly id: string;
  readonly secret: string;
}

async function create(json: object, headers: Record<string, string> = {}): Promise<Made> {
  const answer = await api().call('POST', path, { key, json, headers });
  expect(answer.status, answer.text).toBe(201);
  return answer.json() as Made;
}

async function events(webhookId: string): Promise<readonly string[]> {
  const { rows } = await api().database.owner.pool.query<{ event: string }>(
    `SELECT event FROM nightshift.audit_log WHERE details ->> 'webhook' = $1 ORDER BY id`,
    [webhookId],
  );
  return rows.map(({ event }) => event);
}

describe('POST /v1/webhooks', () => {
  test('creates an active webhook, and returns its secret once', async () => {
    const receiver = await openReceiver();
    const { id, secret } = await create({ name: 'told', url: `${receiver.url}/in?token=not-shown` });
    const read = await api().call('GET', `${path}/${id}`, { key });
    expect(read.json()).toEqual({
      id,
      name: 'told',
      kind: 'webhook',
      target: `${receiver.url}/in?…`,
      events: expect.arrayContaining(['scan.changes', 'credits.low']) as string[],
      state: 'active',
      reason: null,
      secret_before_until: null,
      pending: 0,
      dead: 0,
      last_delivered_at: null,
      created_at: expect.any(String) as string,
    });
    await api().call('POST', '/v1/batches', { key, json: { rows: [{ company_domain: 'nike.com' }] } });
    await receiver.received(1);
    const { headers = {}, body = '' } = receiver.calls[0] ?? {};
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'batch.completed',
    });
    const deliveries = `${path}/${id}/deliveries`;
    await expect
      .poll(async () => (await api().call('GET', deliveries, { key })).json())
      .toMatchObject({
        deliveries: [{ event_id: headers['webhook-id'], state: 'delivered', last_status: 204 }],
        next: null,
      });
    for (const text of [read.text, (await api().call('GET', path, { key })).text]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('not-shown');
    }
    expect(await events(id)).toEqual(['webhook_created']);
    await api().call('DELETE', `${path}/${id}`, { key });
  });

  test('with the same Idempotency-Key makes one webhook, and returns its secret to the same key only', async () => {
    const headers = { 'Idempotency-Key': 'hook-once' };
    const json = { name: 'once', slack_url: 'https://hooks.slack.com/services/T0/B0/x' };
    const first = await create(json, headers);
    expect(await create(json, headers)).toEqual(first);
    const stored = await api().database.owner.pool.query<{ body: Buffer }>(
      `SELECT body FROM nightshift.idempotency_keys WHERE key = 'hook-once'`,
    );
    expect(stored.rows[0]?.body.toString('latin1')).not.toContain('hooks.slack.com');
    expect(first).toMatchObject({ kind: 'slack', target: 'https://hooks.slack.com/…', secret: null });
  });

  test.each([
    [{ name: 'x' }, 'url, slack_url, email: give exactly one'],
    [{ name: 'x', url: 'https://a.co', email: 'a@b.co' }, 'give exactly one'],
    [{ name: 'x', url: 'http://example.com' }, 'it must begin with https://'],
    [{ name: 'x', url: 'https://[::1]/' }, 'its host is not public'],
    [{ name: 'x', slack_url: 'https://192.168.0.1/services' }, 'its host is not public'],
    [{ name: 'x', email: 'jane@example.com' }, 'no mail server is configured'],
    [{ name: 'whk_x', url: 'https://a.co' }, 'A webhook needs a name'],
    [{ name: 'x', url: 'https://a.co', events: [] }, 'events'],
    [{ name: 'x', url: 'https://a.co', events: ['moon.full'] }, 'events'],
    [{ name: 'x', url: 'https://a.co', secret: 'mine' }, 'secret'],
  ])('rejects %j', async (json, words) => {
    const answer = await api().call('POST', path, { key, json });
    expect(answer.status).toBe(400);
    expect((answer.json() as ProblemBody).errors[0]?.title).toContain(words);
  });

  test('rejects a name in use, and more webhooks than an account may have', async () => {
    await create({ name: 'taken', url: 'https://example.com/' });
    const again = await api().call('POST', path, {
      key,
      json: { name: 'taken', url: 'https://example.com/' },
    });
    expect([again.status, codesOf(again)]).toEqual([409, ['conflict']]);
    await api().createAccount('many');
    const many = await api().createKey({ account: 'many', scopes: ['admin'] });
    const answers = await Promise.all(
      Array.from({ length: 55 }, (_, n) =>
        api().call('POST', path, { key: many, json: { name: `hook ${n}`, url: 'https://example.com/' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
  });

  test('requires the scope admin, like all operations on webhooks', async () => {
    const { id } = await create({ name: 'guarded', url: 'https://example.com/' });
    const other = await api().createKey();
    for (const [method, rest] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['GET', `/${id}/deliveries`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/rotate`],
      ['POST', `/${id}/replay`],
    ] as const) {
      const answer = await api().call(method, `${path}${rest}`, { key: other });
      expect([answer.status, codesOf(answer)], `${method} ${rest}`).toEqual([403, ['insufficient_scope']]);
    }
    expect(await events(id)).toEqual(['webhook_created']);
  });
});

describe('PATCH and DELETE /v1/webhooks/{id}', () => {
  test('change name, events, target and state', async () => {
    const { id } = await create({ name: 'before', url: 'https://example.com/' });
    const change = async (json: object) => api().call('PATCH', `${path}/${id}`, { key, json });
    expect(
      (await change({ name: 'after', events: ['credits.low'], url: 'https://example.org/in' })).json(),
    ).toMatchObject({
      name: 'after',
      events: ['credits.low'],
      target: 'https://example.org/in',
    });
    expect((await change({ state: 'disabled' })).json()).toMatchObject({
      state: 'disabled',
      reason: 'by request',
    });
    expect((await change({ state: 'active' })).json()).toMatchObject({
      state: 'active',
      reason: null,
      name: 'after',
    });
    expect((await change({})).json()).toMatchObject({ name: 'after' });
    await create({ name: 'in the way', url: 'https://example.com/' });
    for (const [json, status] of [
      [{ name: 'in the way' }, 409],
      [{ slack_url: 'https://example.com/' }, 400],
      [{ url: 'https://10.1/' }, 400],
      [{ state: 'removed' }, 400],
      [{ target: 'https://example.com/' }, 400],
    ] as const) {
      expect((await change(json)).status, JSON.stringify(json)).toBe(status);
    }
    const removed = await api().call('DELETE', `${path}/${id}`, { key });
    expect([removed.status, removed.json()]).toMatchObject([200, { state: 'removed' }]);
    expect((await api().call('DELETE', `${path}/${id}`, { key })).status).toBe(404);
    expect((await change({})).status).toBe(404);
    expect((await events(id)).at(-1)).toBe('webhook_removed');
  });
});

describe('deliveries of a webhook', () => {
  test('can be tested, with the status of the response and not its body', async () => {
    const receiver = await openReceiver();
    const { id } = await create({ name: 'tested', url: receiver.url, events: ['credits.low'] });
    const test = async () => (await api().call('POST', `${path}/${id}/test`, { key })).json();
    receiver.next(200, (response) => response.writeHead(401).end('the password is swordfish'));
    expect(await test()).toMatchObject({ delivered: true, status: 200, error: null });
    const failed = await test();
    expect(failed).toMatchObject({ delivered: false, status: 401, error: `${receiver.host} answered 401` });
    expect(JSON.stringify(failed)).not.toContain('swordfish');
  });

  test('are listed in pages and by state, and can be replayed', async () => {
    const receiver = await openReceiver();
    const { id } = await create({ name: 'paged', url: receiver.url, events: ['schedule.missed'] });
    receiver.next(410);
    const subjects = ['p1', 'p2', 'p3'];
    for (const subject of subjects)
      await api().database.app.pool.query(
        `SELECT nightshift.emit_event(1, 'schedule.missed', '${subject}', '{}')`,
      );
    const read = async (query: string) =>
      (await api().call('GET', `${path}/${id}/deliveries?${query}`, { key })).json() as {
        deliveries: { event_id: string; state: string }[];
        next: string | null;
      };
    await expect.poll(async () => (await read('state=dead')).deliveries.length).toBe(3);
    const first = await read('limit=2');
    const rest = await read(`limit=2&after=${first.next}`);
    const all = [...first.deliveries, ...rest.deliveries].map(({ event_id: eventId }) => eventId);
    expect([new Set(all).size, rest.next]).toEqual([3, null]);
    expect((await read('state=delivered')).deliveries).toEqual([]);

    const replay = async (json: object) => api().call('POST', `${path}/${id}/replay`, { key, json });
    expect((await replay({ dead: true })).json()).toEqual({ replayed: 3 });
    await api().call('PATCH', `${path}/${id}`, { key, json: { state: 'active' } });
    await receiver.received(4);
    await expect.poll(async () => (await read('state=delivered')).deliveries.length).toBe(3);
    expect((await replay({ since: '1h' })).json()).toEqual({ replayed: 0 });
    expect((await replay({ event_id: all[2] })).json()).toEqual({ replayed: 1 });
    await receiver.received(5);
    expect(receiver.calls.at(-1)?.headers['webhook-id']).toBe(all[2]);
    for (const [json, status] of [
      [{}, 400],
      [{ dead: true, since: '1h' }, 400],
      [{ since: 'ever' }, 400],
      [{ event_id: 'evt_1' }, 404],
    ] as const) {
      expect((await replay(json)).status, JSON.stringify(json)).toBe(status);
    }
  });

  test('are signed with the new secret after a rotation, and also with the old one for a day', async () => {
    const receiver = await openReceiver();
    const { id, secret } = await create({ name: 'rotated', url: receiver.url });
    const rotated = await api().call('POST', `${path}/${id}/rotate`, { key });
    const after = rotated.json() as Made & { secret_before_until: string };
    expect(rotated.status).toBe(201);
    const hours = (Date.parse(after.secret_before_until) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    await api().call('POST', `${path}/${id}/test`, { key });
    const { headers = {}, body = '' } = receiver.calls[0] ?? {};
    for (const each of [secret, after.secret])
      expect(new Webhook(each).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'test',
      });
    expect(after.secret).not.toBe(secret);
    expect(await events(id)).toEqual(['webhook_created', 'webhook_rotated']);
    const slack = await create({ name: 'unsigned', slack_url: receiver.url });
    expect((await api().call('POST', `${path}/${slack.id}/rotate`, { key })).status).toBe(409);
  });
});

test('the audit log has no secrets and no URLs, and every invariant holds', async () => {
  const { rows } = await api().database.owner.pool.query<{ details: object }>(
    'SELECT details FROM nightshift.audit_log',
  );
  expect(JSON.stringify(rows)).not.toMatch(/whsec_|https?:/);
  expect(await api().findings()).toEqual([]);
});
