import { beforeAll, describe, expect, test, vi } from 'vitest';
import { scopes } from '../../src/core/access/api-key.ts';
import { useApiDesk, type Answer, type ProblemBody } from '../support/api-desk.ts';
import { listOperations, nameOf, type Document, type Operation } from '../support/openapi/document.ts';
import { digestStored } from '../support/openapi/stored-state.ts';

const desk = useApiDesk({ workers: true });

/** An account with a key that may do everything, and one of everything that it can have. */
interface Tenant {
  readonly key: string;
  readonly batches: readonly string[];
  readonly keys: readonly string[];
  readonly requests: readonly string[];
  /** What says, in any answer, that it is about this account. */
  readonly traces: readonly string[];
}

let here: Tenant;
let there: Tenant;
let operations: readonly Operation[];

beforeAll(async () => {
  operations = listOperations((await desk().call('GET', '/openapi.json')).json() as Document);
  here = await openTenant('here', 'zalando.de');
  there = await openTenant('there', 'nike.com');
});

describe('an id of another account', () => {
  test('every operation that takes one answers as for an id that nobody has, and nothing is written', async () => {
    const taking = operations.filter(({ path }) => path.includes('{id}'));
    expect(taking.length).toBeGreaterThanOrEqual(10);
    const foreign = [...there.batches, ...there.keys, ...there.requests, '1', '2'];
    const before = await digestStored(desk().database);
    for (const operation of taking) {
      const unknown = tidied(await ask(operation, unknownId), unknownId);
      expect(unknown, nameOf(operation)).toMatchObject({ status: 404 });
      for (const id of foreign) {
        const answer = await ask(operation, id);
        expect(tidied(answer, id), `${nameOf(operation)} with ${id}`).toEqual(unknown);
      }
    }
    expect(await digestStored(desk().database)).toEqual(before);
  });

  test('a key of the other account still works after all that, and its batch stands as it stood', async () => {
    expect((await desk().call('GET', '/v1/credits', { key: there.key })).status).toBe(200);
    const batch = await desk().call('GET', `/v1/batches/${there.batches[0]}`, { key: there.key });
    expect(batch.json()).toMatchObject({ id: there.batches[0], state: 'finished' });
  });

  test('a page that would go on after it is one that nobody has', async () => {
    const [unknown, foreign] = await Promise.all(
      [unknownId, there.batches[0] ?? ''].map(async (id) => {
        const answer = await desk().call('GET', `/v1/batches?after=${id}`, { key: here.key });
        return tidied(answer, id);
      }),
    );
    expect(foreign).toEqual(unknown);
  });

  test('a cursor of the other account shows nothing of it', async () => {
    const page = await desk().call('GET', '/v1/ads?limit=1', { key: there.key });
    const { next } = page.json() as { next: string };
    const answer = await desk().call('GET', `/v1/ads?after=${next}&limit=1000`, { key: here.key });
    expect(answer.status).toBe(200);
    expectNoTrace(answer, there, 'GET /v1/ads');
  });
});

describe('lists', () => {
  test('the batches of an account are its own', async () => {
    for (const tenant of [here, there]) {
      const { batches } = await read<{ batches: { id: string }[] }>('/v1/batches?limit=100', tenant);
      expect(batches.map(({ id }) => id).sort()).toEqual([...tenant.batches].sort());
    }
  });

  test('the keys of an account are its own', async () => {
    for (const tenant of [here, there]) {
      const { keys } = await read<{ keys: { id: string }[] }>('/v1/account/api-keys', tenant);
      expect(keys.map(({ id }) => id)).toEqual(expect.arrayContaining([...tenant.keys]));
      // The one it asks with as well.
      expect(keys).toHaveLength(tenant.keys.length + 1);
    }
  });

  test('the ledger of an account is its own, from its first entry on', async () => {
    type Entry = { seq: number; batch: string | null; request_id: string | null };
    for (const tenant of [here, there]) {
      const { entries } = await read<{ entries: Entry[] }>('/v1/ledger?limit=1000', tenant);
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => entries.length - i));
      const batches = new Set(entries.flatMap(({ batch }) => batch ?? []));
      const requests = new Set(entries.flatMap(({ request_id: id }) => id ?? []));
      expect([...batches].every((id) => tenant.batches.includes(id))).toBe(true);
      expect([...requests]).toEqual(tenant.requests);
    }
  });

  test('the ads of an account are those that its own lookups found', async () => {
    type Seen = { batch: string | null; company_domain: string };
    const found = await Promise.all(
      [here, there].map((tenant) => read<{ ads: Seen[] }>('/v1/ads?limit=1000', tenant)),
    );
    for (const [i, { ads }] of found.entries()) {
      expect(ads.length).toBeGreaterThan(0);
      expect([...new Set(ads.map(({ company_domain: domain }) => domain))]).toEqual(
        [['zalando.de'], ['nike.com']][i],
      );
    }
  });

  test('the credits of an account are its own', async () => {
    const before = await read('/v1/credits', here);
    await desk().call('POST', searchPath, { key: there.key, json: { company_domain: 'nike.com' } });
    expect(await read('/v1/credits', here)).toEqual(before);
  });
});

describe('what an account is told', () => {
  test('no answer to any operation, with ids of its own, says anything of the other account', async () => {
    for (const [tenant, other] of [
      [here, there],
      [there, here],
    ] as const) {
      for (const path of ownPaths(tenant)) {
        const answer = await desk().call('GET', path, { key: tenant.key });
        expect(answer.status, path).toBe(200);
        expectNoTrace(answer, other, path);
      }
      for (const { path } of operations.filter(({ method, isGuarded }) => method === 'GET' && !isGuarded)) {
        const answer = await desk().call('GET', path.replace('{code}', 'not_found'), { key: tenant.key });
        expectNoTrace(answer, other, path);
      }
    }
  });

  test('every guarded operation that reads was asked', () => {
    const asked = ownPaths(here).map((path) => path.split('?', 1)[0]?.replace(/bat_\w+/, '{id}'));
    const reading = operations.filter(({ method, isGuarded }) => method === 'GET' && isGuarded);
    expect([...new Set(asked)].sort()).toEqual(reading.map(({ path }) => path).sort());
  });

  test('its own traces do show, so that theirs would', async () => {
    const texts = await Promise.all(
      ownPaths(there).map(async (path) => (await desk().call('GET', path, { key: there.key })).text),
    );
    for (const trace of there.traces) expect(texts.join('\n')).toContain(trace);
  });

  test('the same Idempotency-Key of two accounts stands for two requests', async () => {
    const path = '/v1/people/email-validation';
    const headers = { 'Idempotency-Key': 'the-same' };
    const first = await desk().call('POST', path, {
      key: there.key,
      headers,
      json: { email: 'secret@nike.com' },
    });
    expect(first.status).toBe(200);
    for (const email of ['secret@nike.com', 'other@zalando.de']) {
      await desk().database.owner.pool.query(
        `DELETE FROM nightshift.idempotency_keys k USING nightshift.accounts a WHERE a.id = k.account_id AND a.name = 'here'`,
      );
      const answer = await desk().call('POST', path, { key: here.key, headers, json: { email } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
    }
  });

  test('the same list of two accounts makes two batches', async () => {
    const list = {
      body: 'company_domain\nacme-one.com\n',
      headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': 'list' },
    };
    const [mine, theirs] = await Promise.all(
      [here, there].map(({ key }) => desk().call('POST', '/v1/batches', { key, ...list })),
    );
    expect([mine?.status, theirs?.status]).toEqual([201, 201]);
    expect((mine?.json() as { id: string }).id).not.toBe((theirs?.json() as { id: string }).id);
  });

  test('every invariant holds', async () => {
    expect(await desk().findings()).toEqual([]);
  });
});

const searchPath = '/v1/ads/google-ads-search';
/** Of the form of an id, without a kind that would give it away. */
const unknownId = 'bat_01a1ff734ad87655b2c761ba36458456';

async function openTenant(name: string, domain: string): Promise<Tenant> {
  await desk().createAccount(name, 1000n);
  const key = await desk().createKey({ account: name, scopes });
  const secrets = ['cell', 'column', 'file', 'keyname', 'schedule'].map((what) => `${what}-of-${name}`);
  const [cell = '', column = '', file = '', keyName = '', schedule = ''] = secrets;
  const searched = await desk().call('POST', searchPath, { key, json: { company_domain: domain } });
  const batch = await desk().call('POST', `/v1/batches?file_name=${file}.csv`, {
    key,
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': `batch-of-${name}` },
    body: `company_domain,${column}\n${domain},${cell}\nno domain,${cell}\n`,
  });
  const { id: batchId } = batch.json() as { id: string };
  await vi.waitUntil(
    async () => {
      const now = await desk().call('GET', `/v1/batches/${batchId}`, { key });
      return (now.json() as { state: string }).state === 'finished';
    },
    { timeout: 20_000, interval: 100 },
  );
  await makeScan(batchId, schedule);
  const spare = await desk().call('POST', '/v1/account/api-keys', { key, json: { name: keyName } });
  const { id: keyId, hint } = spare.json() as { id: string; hint: string };
  const requestId = searched.headers.get('x-request-id') ?? '';
  return {
    key,
    batches: [batchId],
    keys: [keyId],
    requests: [requestId],
    traces: [...secrets, batchId, keyId, hint, requestId, domain],
  };
}

/** Makes a batch the scan of a schedule of this name, and waits until what it says is worked out. */
async function makeScan(batch: string, schedule: string): Promise<void> {
  const { pool } = desk().database.owner;
  await pool.query(
    `WITH schedule AS (
      INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, list, reading, companies, sources, next_at)
      SELECT 'sch_' || $2, account_id, $2, '0 2 * * *', 'UTC', file_name, '', '{}', 1, sources, now() + interval '1 day'
      FROM nightshift.batches WHERE public_id = $1 RETURNING id
    )
    INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, batch_id, begun_at, finished_at)
    SELECT 'scn_' || $2, b.account_id, s.id, now(), 'manual', 'finished', b.id, now(), now()
    FROM nightshift.batches b, schedule s WHERE b.public_id = $1`,
    [batch, schedule],
  );
  await vi.waitUntil(
    async () => {
      const open = await pool.query(`SELECT FROM nightshift.scans WHERE evaluated_at IS NULL`);
      return open.rows.length === 0;
    },
    { timeout: 20_000, interval: 100 },
  );
}

async function ask({ method, path }: Operation, id: string): Promise<Answer> {
  return desk().call(method, path.replace('{id}', encodeURIComponent(id)), { key: here.key });
}

/** An error answer without what is of this one request alone: its id, its time, and the id that it asked for. */
function tidied({ status, headers, text }: Answer, id: string): unknown {
  const own = ['date', 'x-request-id', 'content-length', 'ratelimit-remaining', 'ratelimit-reset'];
  const { errors, meta } = JSON.parse(text) as ProblemBody;
  return {
    status,
    headers: Object.fromEntries([...headers].filter(([name]) => !own.includes(name))),
    errors: errors.map((error) => ({ ...error, title: error.title.replaceAll(id, '<id>') })),
    meta: Object.keys(meta),
  };
}

async function read<Body>(path: string, { key }: Tenant): Promise<Body> {
  const answer = await desk().call('GET', path, { key });
  expect(answer.status).toBe(200);
  return answer.json() as Body;
}

/** Whatever can be read with ids of one's own. */
function ownPaths({ batches }: Tenant): readonly string[] {
  const shapes = ['rows', 'ads', 'variants'];
  const formats = ['csv', 'ndjson', 'json'];
  return [
    '/v1/credits',
    '/v1/batches',
    '/v1/ads?limit=1000',
    '/v1/changes?limit=1000&kind=baseline',
    '/v1/ledger?limit=1000',
    '/v1/account/api-keys',
    ...batches.flatMap((id) => [
      `/v1/batches/${id}`,
      `/v1/batches/${id}/rows`,
      `/v1/batches/${id}/events`,
      ...shapes.flatMap((shape) =>
        formats.map((format) => `/v1/batches/${id}/export?shape=${shape}&format=${format}`),
      ),
    ]),
  ];
}

function expectNoTrace({ text, headers }: Answer, { traces }: Tenant, what: string): void {
  const whole = `${JSON.stringify([...headers])}\n${text}`;
  // The document's own examples are of a company as well.
  const told = traces.filter((trace) => whole.includes(trace) && !(trace === 'nike.com' && isDocument(what)));
  expect(told, what).toEqual([]);
}

function isDocument(path: string): boolean {
  return path === '/openapi.json' || path === '/docs';
}
