import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type TestApi } from '../../support/api/test-api.ts';

const path = '/v1/batches';

interface Timeline {
  readonly entries: readonly {
    readonly event: string;
    readonly by: string | null;
    readonly by_name: string | null;
    readonly at: string;
  }[];
  readonly next: string | null;
}

describe('GET /v1/batches/{id}/timeline', () => {
  const api = useTestApi();

  test('lists the events of the batch with the key that caused them', async () => {
    const { key, id } = await list(api());
    for (const move of ['pause', 'resume', 'cancel']) await control(api(), key, id, move);
    const answer = await api().call('GET', `${path}/${id}/timeline`, { key });
    expect(answer.status).toBe(200);
    const { entries, next } = answer.json() as Timeline;
    expect(next).toBeNull();
    expect(entries.map(({ event }) => event)).toEqual([
      'created',
      'loaded',
      'paused',
      'resumed',
      'cancelled',
    ]);
    expect(entries[2]).toEqual({
      event: 'paused',
      at: expect.stringMatching(/Z$/) as string,
      reason: 'by request',
      wait_kind: null,
      by: expect.stringMatching(/^key_/) as string,
      by_name: 'test',
      retried: null,
      times: 1,
      last_at: entries[2]?.at,
      ended_at: null,
    });
    expect(entries.map(({ by }) => by !== null)).toEqual([true, false, true, true, true]);
  });

  test.each([1, 2, 4, 5])('returns every entry once, in order, in pages of %i', async (limit) => {
    const { key, id } = await list(api());
    for (const move of ['pause', 'resume']) await control(api(), key, id, move);
    const events: string[] = [];
    for (let after = ''; ;) {
      const url = `${path}/${id}/timeline?limit=${limit}${after}`;
      const page = (await api().call('GET', url, { key })).json() as Timeline;
      events.push(...page.entries.map(({ event }) => event));
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    expect(events).toEqual(['created', 'loaded', 'paused', 'resumed']);
  });

  test.each(['limit=0', 'limit=201', 'after=x', 'after=', 'before=1'])(
    'returns 400 for ?%s',
    async (query) => {
      const { key, id } = await list(api());
      expect((await api().call('GET', `${path}/${id}/timeline?${query}`, { key })).status).toBe(400);
    },
  );

  test('returns 409 for a purged batch, and its entries are deleted', async () => {
    const { key, id } = await list(api());
    await control(api(), key, id, 'cancel');
    await api().database.owner.pool.query(
      `UPDATE nightshift.batches SET purged_at = now() WHERE public_id = '${id}'`,
    );
    for (const what of ['timeline', 'rejected']) {
      const answer = await api().call('GET', `${path}/${id}/${what}`, { key });
      expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
    }
    const left = await api().database.owner.pool.query(
      `SELECT FROM nightshift.batch_events e JOIN nightshift.batches b ON b.id = e.batch_id WHERE b.public_id = '${id}'`,
    );
    expect(left.rowCount).toBe(0);
  });
});

describe('GET /v1/batches/{id}/pace', () => {
  const api = useTestApi();

  test('returns nulls for a batch that is not processed', async () => {
    const { key, id } = await list(api());
    const answer = await api().call('GET', `${path}/${id}/pace`, { key });
    expect([answer.status, answer.json()]).toEqual([
      200,
      { ended: 0, seconds: 0, per_second: null, seconds_left: null },
    ]);
  });

  test.each(['timeline', 'pace'])('returns 404 for the %s of a batch of another account', async (what) => {
    const { id } = await list(api());
    await api().createAccount(`stranger-${what}`);
    const key = await api().createKey({ account: `stranger-${what}` });
    for (const unknown of [id, 'bat_01a1ff734ad87655b2c761ba36458456', 'nonsense']) {
      const answer = await api().call('GET', `${path}/${unknown}/${what}`, { key });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    }
  });
});

async function list(api: TestApi): Promise<{ readonly id: string; readonly key: string }> {
  const key = await api.createKey();
  const rows = [{ company_domain: 'nike.com' }];
  const answer = await api.call('POST', path, { key, json: { rows } });
  expect(answer.status).toBe(201);
  return { key, id: (answer.json() as { readonly id: string }).id };
}

async function control(api: TestApi, key: string, id: string, move: string): Promise<void> {
  expect((await api.call('POST', `${path}/${id}/${move}`, { key })).status).toBe(200);
}
