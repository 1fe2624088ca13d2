import { afterAll, describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type Answer, type Call } from '../../support/api/test-api.ts';
import { batchControlsOver } from '../../support/faults/steering.ts';

const path = '/v1/batches';
const moves = ['pause', 'resume', 'cancel', 'retry'] as const;
type Move = (typeof moves)[number];

describe('POST /v1/batches/{id}/pause', () => {
  const { list, move, read, balance, startWork, finish, api } = useBatches();

  test('pauses a batch: after the response no credits are held and no chunk can be claimed', async () => {
    const { id, account, key } = await list(6);
    const [chunk] = await startWork(id);
    expect((await balance(account)).heldMicro).toBe(1_200_000n);
    const answer = await move(key, id, 'pause');
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { id, state: 'paused', reason: 'by request' },
    ]);
    expect(await balance(account)).toEqual({ balanceMicro: 10_000_000n, heldMicro: 0n });
    const { work } = await batchControlsOver(api().database, 1n);
    expect(await work.claim(chunk?.chunkId ?? 0, chunk?.generation ?? 0, 1000)).toBeNull();
    expect(await read(key, id)).toEqual(answer.json());
  });

  test('is idempotent', async () => {
    const { id, key } = await list(2);
    const first = await move(key, id, 'pause');
    const again = await move(key, id, 'pause');
    expect([again.status, again.json()]).toEqual([200, first.json()]);
  });

  test('returns 409 for a batch that has ended', async () => {
    const cancelled = await list(2);
    await move(cancelled.key, cancelled.id, 'cancel');
    expectConflict(await move(cancelled.key, cancelled.id, 'pause'), 'cancelled');
    const finished = await list(2);
    await finish(finished.id, 'found');
    expectConflict(await move(finished.key, finished.id, 'pause'), 'finished');
  });
});

describe('POST /v1/batches/{id}/resume', () => {
  const { list, move, read, balance, startWork, finish } = useBatches();

  test('resumes a paused batch with its bounds', async () => {
    const { id, key, account } = await list(3, 'limit=2&max_credits=1');
    await move(key, id, 'pause');
    const answer = await move(key, id, 'resume');
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { state: 'running', reason: null, limit: 2, max_credits: 1 },
    ]);
    await startWork(id);
    expect((await balance(account)).heldMicro).toBe(400_000n);
  });

  test('replaces the given bounds, and null removes one', async () => {
    const { id, key } = await list(3, 'limit=2&max_credits=1');
    await move(key, id, 'pause');
    const answer = await move(key, id, 'resume', { json: { limit: 3 } });
    expect(answer.json()).toMatchObject({ state: 'running', limit: 3, max_credits: 1 });
    const more = await move(key, id, 'resume', { json: { max_credits: 0.000001 } });
    expect(more.json()).toMatchObject({ limit: 3, max_credits: 0.000001 });
    const none = await move(key, id, 'resume', { json: { limit: null, max_credits: null } });
    expect(none.json()).toMatchObject({ limit: null, max_credits: null });
  });

  test('replaces the cap on the cost of calls, and null removes it', async () => {
    const { id, key } = await list(3, 'max_spend=0.50USD');
    expect(await read(key, id)).toMatchObject({ max_spend: '0.50 USD' });
    const answer = await move(key, id, 'resume', { json: { max_spend: '2 USD' } });
    expect(answer.json()).toMatchObject({ state: 'running', max_spend: '2 USD' });
    const none = await move(key, id, 'resume', { json: { max_spend: null } });
    expect(none.json()).toMatchObject({ max_spend: null });
  });

  test('accepts a running batch', async () => {
    const { id, key } = await list(1);
    expect((await move(key, id, 'resume')).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['an unknown field', { limits: 1 }],
    ['a limit of 0', { limit: 0 }],
    ['a limit that is not an integer', { limit: 1.5 }],
    ['a limit as text', { limit: '3' }],
    ['zero credits', { max_credits: 0 }],
    ['negative credits', { max_credits: -1 }],
    ['credits with seven decimal places', { max_credits: 0.1234567 }],
    ['a ten-millionth of a credit', { max_credits: 1e-7 }],
    ['credits beyond the maximum', { max_credits: 1e300 }],
    ['a cap without a currency', { max_spend: '5' }],
    ['a cap of 0', { max_spend: '0 USD' }],
    ['a cap as a number', { max_spend: 5 }],
    ['a list', []],
    ['a number', 5],
    ['null', null],
  ])('returns 400 for %s, and does not change the batch', async (_case, json) => {
    const { id, key } = await list(1);
    const paused = await move(key, id, 'pause');
    expectBad(await move(key, id, 'resume', { json }));
    expect(await read(key, id)).toEqual(paused.json());
  });

  test('returns 409 for a batch that has ended', async () => {
    const cancelled = await list(2);
    await move(cancelled.key, cancelled.id, 'cancel');
    expectConflict(await move(cancelled.key, cancelled.id, 'resume'), 'cancelled');
    const finished = await list(2);
    const before = await finish(finished.id, 'found', finished.key);
    expectConflict(await move(finished.key, finished.id, 'resume', { json: { limit: 1 } }), 'finished');
    expect(await read(finished.key, finished.id)).toEqual(before);
  });
});

describe('POST /v1/batches/{id}/cancel', () => {
  const { list, move, read, balance, startWork, finish } = useBatches();

  test('ends a batch: open lookups are cancelled, free', async () => {
    const { id, key, account } = await list(5);
    await startWork(id);
    const answer = await move(key, id, 'cancel');
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { state: 'cancelled', lookups: { total: 5, cancelled: 5, open: 0 }, credits: { charged: 0 } },
    ]);
    expect(await balance(account)).toEqual({ balanceMicro: 10_000_000n, heldMicro: 0n });
    expect(await read(key, id)).toEqual(answer.json());
  });

  test('accepts a paused batch, and is idempotent', async () => {
    const { id, key } = await list(2);
    await move(key, id, 'pause');
    const first = await move(key, id, 'cancel');
    const again = await move(key, id, 'cancel');
    expect([again.status, again.json()]).toEqual([200, first.json()]);
  });

  test('returns 409 for a finished batch', async () => {
    const { id, key } = await list(2);
    const before = await finish(id, 'found', key);
    expectConflict(await move(key, id, 'cancel'), 'finished');
    expect(await read(key, id)).toEqual(before);
  });
});

describe('POST /v1/batches/{id}/retry', () => {
  const { list, move, balance, startWork, finish } = useBatches();

  test('repeats the failed lookups of a finished batch', async () => {
    const { id, key, account } = await list(3);
    await finish(id, 'source_unreadable');
    const answer = await move(key, id, 'retry');
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      {
        state: 'running',
        finished_at: null,
        lookups: { total: 3, failed: 0, open: 3 },
        retried: 3,
        in_doubt_left: 0,
      },
    ]);
    await startWork(id);
    expect((await balance(account)).heldMicro).toBe(600_000n);
  });

  test('does not repeat lookups in doubt unless in_doubt is set', async () => {
    const { id, key } = await list(2);
    await finish(id, 'in_doubt');
    const left = await move(key, id, 'retry', { json: {} });
    expect(left.json()).toMatchObject({ state: 'finished', retried: 0, in_doubt_left: 2 });
    const reported = await move(key, id, 'retry', { json: { in_doubt: true } });
    expect(reported.json()).toMatchObject({ state: 'running', retried: 2, in_doubt_left: 0 });
  });

  test('repeats nothing in a batch without failures', async () => {
    const { id, key } = await list(2);
    await finish(id, 'found');
    const answer = await move(key, id, 'retry');
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { state: 'finished', retried: 0, in_doubt_left: 0 },
    ]);
  });

  test('returns 409 for a batch that has not finished', async () => {
    const { id, key } = await list(2);
    expectConflict(await move(key, id, 'retry'), 'running');
    await move(key, id, 'pause');
    expectConflict(await move(key, id, 'retry'), 'paused');
    await move(key, id, 'cancel');
    expectConflict(await move(key, id, 'retry'), 'cancelled');
  });

  test('returns 400 for a value of another type', async () => {
    const { id, key } = await list(2);
    await finish(id, 'in_doubt');
    expectBad(await move(key, id, 'retry', { json: { in_doubt: 'yes' } }));
  });
});

describe.each(moves)('POST /v1/batches/{id}/%s', (name) => {
  const { list, move, read, finish, api } = useBatches();

  test.each<[string, Call]>([
    ['no body', {}],
    ['no body, with a content type', { headers: { 'Content-Type': 'application/json' } }],
    ['{}', { json: {} }],
    [
      '{}, with chunked encoding',
      { headers: { 'Content-Type': 'application/json' }, body: new Blob(['{}']).stream() },
    ],
  ])('accepts %s', async (_case, call) => {
    const { id, key } = await ready();
    expect((await move(key, id, name, call)).status).toBe(200);
  });

  test.each<[string, Call, number]>([
    ['an unknown field', { json: { colour: 'red' } }, 400],
    ['broken JSON', { headers: { 'Content-Type': 'application/json' }, body: '{' }, 400],
    ['another content type', { headers: { 'Content-Type': 'text/plain' }, body: '{}' }, 415],
    ['a body of 70 KiB', { json: { colour: 'x'.repeat(70 * 1024) } }, 413],
  ])('rejects %s, and does not change the batch', async (_case, call, status) => {
    const { id, key } = await ready();
    const before = await read(key, id);
    expect((await move(key, id, name, call)).status).toBe(status);
    expect(await read(key, id)).toEqual(before);
  });

  test('returns 404 for an unknown batch and for one of another account', async () => {
    const { id } = await ready();
    const key = await api().createKey();
    for (const unknown of [id, 'bat_01a1ff734ad87655b2c761ba36458456', 'nonsense', '%zz']) {
      const answer = await move(key, unknown, name);
      expect([unknown, answer.status, codesOf(answer)]).toEqual([unknown, 404, ['not_found']]);
    }
  });

  test('returns 404 for an id with a NUL', async () => {
    const answer = await move(await api().createKey(), '%00', name);
    expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
  });

  test('with an Idempotency-Key acts once, and a repeat returns the same bytes', async () => {
    const { id, key } = await ready();
    const headers = { 'Idempotency-Key': `${name}-once` };
    const first = await move(key, id, name, { headers });
    expect(first.status).toBe(200);
    await move(key, id, name === 'pause' ? 'resume' : 'pause');
    const before = await read(key, id);
    const again = await move(key, id, name, { headers });
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.text,
      'true',
    ]);
    expect(await read(key, id)).toEqual(before);
  });

  test('returns 422 for the Idempotency-Key of another request', async () => {
    const { id, key } = await ready();
    const headers = { 'Idempotency-Key': `${name}-other` };
    await move(key, id, name, { headers });
    const other = await move(key, id, name === 'pause' ? 'resume' : 'pause', { headers });
    expect([other.status, codesOf(other)]).toEqual([422, ['idempotency_key_reused']]);
    const body = await move(key, id, name, { headers, json: {} });
    expect([200, 422]).toContain(body.status);
  });

  test('releases its Idempotency-Key when it is rejected', async () => {
    const { id, key } = await list(1);
    const headers = { 'Idempotency-Key': `${name}-refused` };
    // A finished batch allows only a retry, and a running one every other action.
    if (name !== 'retry') await finish(id, 'found');
    expectConflict(await move(key, id, name, { headers }));
    expectConflict(await move(key, id, name, { headers }));
  });

  /** A batch that allows this action. */
  async function ready(): Promise<{ readonly id: string; readonly key: string }> {
    const made = await list(2);
    if (name === 'retry') await finish(made.id, 'source_unreadable');
    if (name === 'resume') await move(made.key, made.id, 'pause');
    return made;
  }
});

interface BatchBody {
  readonly id: string;
}

/** Opens a test API whose batches are processed manually; afterwards every invariant holds. */
function useBatches() {
  const api = useTestApi();
  let accounts = 0;

  /** Uploads a batch of this many companies for a new account with 10 credits. */
  async function list(companies: number, query = '') {
    const account = `account-${(accounts += 1)}`;
    await api().createAccount(account, 10n);
    const key = await api().createKey({ account });
    const body = `website\n${Array.from({ length: companies }, (_, i) => `company-${i}.com`).join('\n')}\n`;
    const headers = { 'Content-Type': 'text/csv' };
    const answer = await api().call('POST', `${path}?${query}`, { key, headers, body });
    expect(answer.status).toBe(201);
    return { id: (answer.json() as BatchBody).id, key, account };
  }

  function move(key: string, id: string, name: Move, call: Call = {}): Promise<Answer> {
    return api().call('POST', `${path}/${id}/${name}`, { key, ...call });
  }

  async function read(key: string, id: string): Promise<unknown> {
    return (await api().call('GET', `${path}/${id}`, { key })).json();
  }

  /** Queues the companies of a batch, with credits held for them. */
  async function startWork(id: string) {
    const { cut } = await batchControlsOver(api().database, 1n);
    await cut(500);
    const found = await api().database.owner.pool.query<{ id: string; generation: number }>(
      `SELECT c.id, c.generation FROM nightshift.chunks c JOIN nightshift.batches b ON b.id = c.batch_id
        WHERE b.public_id = $1 AND c.state = 'queued'`,
      [id],
    );
    return found.rows.map((row) => ({ chunkId: Number(row.id), generation: row.generation }));
  }

  /** Finishes a batch: with ads for every second company, or with this failure for all of them. */
  async function finish(id: string, how: string, key?: string): Promise<unknown> {
    const { claim, answer, fail, dispatch } = await batchControlsOver(api().database, 1n);
    for (const chunk of await startWork(id)) {
      const claimed = await claim(chunk);
      await (how === 'found' ? answer(claimed) : fail(claimed, how));
    }
    await dispatch.finishBatches();
    return key === undefined ? undefined : read(key, id);
  }

  // Before the API is closed: cleanup hooks run in reverse order.
  afterAll(async () => expect(await api().findings()).toEqual([]));

  return { api, list, move, read, startWork, finish, balance: (account: string) => api().balance(account) };
}

function expectConflict(answer: Answer, state = ''): void {
  expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
  expect(answer.text).toContain(state);
}

function expectBad(answer: Answer): void {
  expect([answer.status, [...new Set(codesOf(answer))]]).toEqual([400, ['validation_error']]);
}
