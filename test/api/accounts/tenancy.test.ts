import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import { useTestApi, type Answer, type ProblemBody } from '../../support/api/test-api.ts';
import { listenOnLoopback, type Loopback } from '../../support/stand-in/loopback.ts';
import { listOperations, nameOf, type Document, type Operation } from '../../support/openapi/document.ts';
import { insertCandidates, makeCandidate } from '../../support/companies/candidates.ts';
import { digestStored } from '../../support/openapi/stored-state.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

/** Folder of inboxes. */
const root = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-tenancy-')));
const api = useTestApi({
  workers: true,
  settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1', NIGHTSHIFT_FOLDERS: root },
});

/** An account with a key of every scope, and one resource of every kind. */
interface Tenant {
  readonly key: string;
  readonly batches: readonly string[];
  readonly schedules: readonly string[];
  readonly inboxes: readonly string[];
  readonly destinations: readonly string[];
  readonly scans: readonly string[];
  readonly keys: readonly string[];
  readonly requests: readonly string[];
  readonly webhooks: readonly string[];
  readonly ads: readonly string[];
  readonly links: readonly string[];
  /** Texts that occur only in answers about this account. */
  readonly traces: readonly string[];
}

/** Accepts all webhook events. */
let receiver: Loopback;
let here: Tenant;
let there: Tenant;
let operations: readonly Operation[];

beforeAll(async () => {
  receiver = await listenOnLoopback(createServer((_request, response) => response.writeHead(204).end()));
  operations = listOperations((await api().call('GET', '/openapi.json')).json() as Document);
  here = await openTenant('here', 'zalando.de');
  there = await openTenant('there', 'nike.com');
});

afterAll(async () => {
  await receiver.close();
  rmSync(root, { recursive: true, force: true });
});

describe('id of another account', () => {
  test('gets the response of an unknown id in every operation that takes one, and nothing is written', async () => {
    const taking = operations.filter(({ path, isGuarded }) => isGuarded && path.includes('{id}'));
    expect(taking.length).toBeGreaterThanOrEqual(10);
    const foreign = Object.values(ids(there)).flat();
    foreign.push('1', '2', 'schedule-of-there', 'hook');
    const before = await digestStored(api().database);
    for (const operation of taking) {
      const unknown = tidied(await ask(operation, unknownId), unknownId);
      expect(unknown, nameOf(operation)).toMatchObject({ status: 404 });
      for (const id of foreign) {
        const answer = await ask(operation, id);
        expect(tidied(answer, id), `${nameOf(operation)} with ${id}`).toEqual(unknown);
      }
    }
    expect(await digestStored(api().database)).toEqual(before);
  });

  test('leaves the key, the batch and the schedule of the other account unchanged', async () => {
    expect((await api().call('GET', '/v1/credits', { key: there.key })).status).toBe(200);
    const batch = await api().call('GET', `/v1/batches/${there.batches[0]}`, { key: there.key });
    expect(batch.json()).toMatchObject({ id: there.batches[0], state: 'finished' });
    const schedule = await api().call('GET', `/v1/schedules/${there.schedules[0]}`, { key: there.key });
    expect(schedule.json()).toMatchObject({ name: 'schedule-of-there', state: 'active' });
  });

  test('as a page cursor gets the response of an unknown id', async () => {
    for (const [path, foreignId] of [
      ['/v1/batches', there.batches[0] ?? ''],
      ['/v1/schedules', there.schedules[0] ?? ''],
      [`/v1/schedules/${here.schedules[0]}/scans`, there.scans[0] ?? ''],
    ] as const) {
      const [unknown, foreign] = await Promise.all(
        [unknownId, foreignId].map(async (id) => {
          const answer = await api().call('GET', `${path}?after=${id}`, { key: here.key });
          return tidied(answer, id);
        }),
      );
      expect(foreign).toEqual(unknown);
      expect(foreign).toMatchObject({ status: 400 });
    }
  });

  test('as the schedule of GET /v1/changes, by id or name, gets the response of an unknown id', async () => {
    const changesOf = async (schedule: string) => {
      const path = `/v1/changes?schedule=${schedule}`;
      return tidied(await api().call('GET', path, { key: here.key }), schedule);
    };
    const unknown = await changesOf(unknownId);
    expect(unknown).toMatchObject({ status: 404 });
    for (const schedule of [...there.schedules, 'schedule-of-there']) {
      expect(await changesOf(schedule)).toEqual(unknown);
    }
  });

  test.each(['/v1/ads?', '/v1/changes?kind=baseline&'])(
    'as a cursor of GET %s shows nothing of the other account',
    async (path) => {
      const page = await api().call('GET', `${path}limit=1`, { key: there.key });
      const { next } = page.json() as { next: string };
      const answer = await api().call('GET', `${path}after=${next}&limit=1000`, { key: here.key });
      expect(answer.status).toBe(200);
      expectNoTrace(answer, there, path);
    },
  );
});

describe('lists of an account', () => {
  test('contain only its own batches', async () => {
    for (const tenant of [here, there]) {
      const { batches } = await read<{ batches: { id: string }[] }>('/v1/batches?limit=100', tenant);
      expect(batches.map(({ id }) => id).sort()).toEqual([...tenant.batches].sort());
    }
  });

  test('contain only its own schedules and scans', async () => {
    for (const tenant of [here, there]) {
      const { schedules } = await read<{ schedules: { id: string }[] }>('/v1/schedules?limit=100', tenant);
      expect(schedules.map(({ id }) => id)).toEqual(tenant.schedules);
      const { scans } = await read<{ scans: { id: string }[] }>(
        `/v1/schedules/${tenant.schedules[0]}/scans?limit=100`,
        tenant,
      );
      expect(scans.map(({ id }) => id)).toEqual(tenant.scans);
    }
  });

  test('contain only changes of its own scans', async () => {
    type Change = { scan: string; schedule_id: string; company_domain: string; rests_on: string[] };
    for (const [i, tenant] of [here, there].entries()) {
      const { changes } = await read<{ changes: Change[] }>(allChanges, tenant);
      expect(changes.length).toBeGreaterThan(0);
      const only = (of: (change: Change) => unknown) => [...new Set(changes.map(of))];
      expect(only(({ company_domain: domain }) => domain)).toEqual([['zalando.de'], ['nike.com']][i]);
      expect(only(({ schedule_id: id }) => id)).toEqual(tenant.schedules);
      expect(only(({ scan }) => scan)).toEqual(tenant.scans);
      expect([...new Set(changes.flatMap(({ rests_on: scans }) => scans))]).toEqual(tenant.scans);
    }
  });

  test('contain only its own keys', async () => {
    for (const tenant of [here, there]) {
      const { keys } = await read<{ keys: { id: string }[] }>('/v1/account/api-keys', tenant);
      expect(keys.map(({ id }) => id)).toEqual(expect.arrayContaining([...tenant.keys]));
      // The list includes the key of the request.
      expect(keys).toHaveLength(tenant.keys.length + 1);
    }
  });

  test('contain only its own webhooks and deliveries', async () => {
    for (const tenant of [here, there]) {
      const { webhooks } = await read<{ webhooks: { id: string }[] }>('/v1/webhooks', tenant);
      expect(webhooks.map(({ id }) => id)).toEqual([...tenant.webhooks]);
      const { deliveries } = await read<{ deliveries: object[] }>(
        `/v1/webhooks/${tenant.webhooks[0]}/deliveries`,
        tenant,
      );
      expect(deliveries).toMatchObject([{ event: 'scan.changes' }, { event: 'batch.completed' }]);
    }
  });

  test('do not contain events of another account, to list after or to replay', async () => {
    const path = `/v1/webhooks/${there.webhooks[0]}/deliveries`;
    const { deliveries } = await read<{ deliveries: { event_id: string }[] }>(path, there);
    const own = `/v1/webhooks/${here.webhooks[0]}`;
    for (const eventId of [deliveries[0]?.event_id, 'evt_1']) {
      const listed = await api().call('GET', `${own}/deliveries?after=${eventId}`, { key: here.key });
      const replayed = await api().call('POST', `${own}/replay`, {
        key: here.key,
        json: { event_id: eventId },
      });
      expect([listed.status, replayed.status]).toEqual([400, 404]);
    }
  });

  test('contain only its own ledger entries, from the first on', async () => {
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

  test('contain only ads of its own lookups', async () => {
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

  test('show only its own credits', async () => {
    const before = await read('/v1/credits', here);
    await api().call('POST', searchPath, { key: there.key, json: { company_domain: 'nike.com' } });
    expect(await read('/v1/credits', here)).toEqual(before);
  });
});

describe('isolation of accounts', () => {
  test('no operation returns data of another account', async () => {
    for (const [tenant, other] of [
      [here, there],
      [there, here],
    ] as const) {
      for (const path of ownPaths(tenant)) {
        const answer = await api().call('GET', path, { key: tenant.key });
        expect(answer.status, path).toBe(200);
        expectNoTrace(answer, other, path);
      }
      for (const { path } of operations.filter(({ method, isGuarded }) => method === 'GET' && !isGuarded)) {
        const answer = await api().call('GET', path.replace('{code}', 'not_found'), { key: tenant.key });
        expectNoTrace(answer, other, path);
      }
    }
  });

  test('no SQL view returns data of another account', async () => {
    const { views } = await read<{ views: { name: string; parameters: string | null }[] }>(
      '/v1/sql/views',
      here,
    );
    const askAll = (tenant: Tenant) =>
      Promise.all(
        views.map(async ({ name, parameters }) => {
          const query = `SELECT * FROM ${name}${parameters === null ? '' : '(current_date)'}`;
          // An account may run two queries at a time.
          const answer = await queryLimit(() =>
            api().call('POST', '/v1/sql', { key: tenant.key, json: { query } }),
          );
          expect(answer.status, query).toBe(200);
          return answer;
        }),
      );
    for (const [tenant, other] of [
      [here, there],
      [there, here],
    ] as const) {
      const answers = await askAll(tenant);
      for (const [i, answer] of answers.entries()) expectNoTrace(answer, other, views[i]?.name ?? '');
      const all = answers.map(({ text }) => text).join('\n');
      const shown = tenant.traces.filter((trace) => all.includes(trace));
      expect(shown).toEqual(
        expect.arrayContaining([...tenant.batches, ...tenant.schedules, ...tenant.scans]),
      );
    }
  });

  test('the test reads every guarded GET operation', () => {
    const asked = ownPaths(here).map((path) =>
      path.split('?', 1)[0]?.replace(/(bat|sch|inb|dst|whk|ad)_[\w-]+/, '{id}'),
    );
    const reading = operations.filter(({ method, isGuarded }) => method === 'GET' && isGuarded);
    expect([...new Set(asked)].sort()).toEqual(reading.map(({ path }) => path).sort());
  });

  test('the test finds the traces of an account in its own responses', async () => {
    const texts = await Promise.all(
      ownPaths(there).map(async (path) => (await api().call('GET', path, { key: there.key })).text),
    );
    for (const trace of there.traces) expect(texts.join('\n')).toContain(trace);
  });

  test('an Idempotency-Key is scoped to its account', async () => {
    const path = '/v1/people/email-validation';
    const headers = { 'Idempotency-Key': 'the-same' };
    const first = await api().call('POST', path, {
      key: there.key,
      headers,
      json: { email: 'secret@nike.com' },
    });
    expect(first.status).toBe(200);
    for (const email of ['secret@nike.com', 'other@zalando.de']) {
      await api().database.owner.pool.query(
        `DELETE FROM nightshift.idempotency_keys k USING nightshift.accounts a WHERE a.id = k.account_id AND a.name = 'here'`,
      );
      const answer = await api().call('POST', path, { key: here.key, headers, json: { email } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
    }
  });

  test('the same file of two accounts makes two batches', async () => {
    const list = {
      body: 'company_domain\nacme-one.com\n',
      headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': 'list' },
    };
    const [mine, theirs] = await Promise.all(
      [here, there].map(({ key }) => api().call('POST', '/v1/batches', { key, ...list })),
    );
    expect([mine?.status, theirs?.status]).toEqual([201, 201]);
    expect((mine?.json() as { id: string }).id).not.toBe((theirs?.json() as { id: string }).id);
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});

/** Query that includes baselines. */
const allChanges = '/v1/changes?kind=baseline,new,reactivated,changed,ended&limit=1000';
const queryLimit = pLimit(2);
const searchPath = '/v1/ads/google-ads-search';
/** A well-formed id whose prefix does not reveal the expected kind. */
const unknownId = 'bat_01a1ff734ad87655b2c761ba36458456';

async function openTenant(name: string, domain: string): Promise<Tenant> {
  const accountId = await api().createAccount(name, 1000n);
  const key = await api().createKey({ account: name, scopes });
  const kinds = ['cell', 'column', 'file', 'keyname', 'schedule', 'candidate'];
  const secrets = kinds.map((what) => `${what}-of-${name}`);
  const [cell = '', column = '', file = '', keyName = '', schedule = '', candidate = ''] = secrets;
  const hook = await api().call('POST', '/v1/webhooks', {
    key,
    json: { name: 'hook', url: `${receiver.url}/hook-of-${name}` },
  });
  const { id: hookId } = hook.json() as { id: string };
  const searched = await api().call('POST', searchPath, { key, json: { company_domain: domain } });
  const batch = await api().call('POST', `/v1/batches?file_name=${file}.csv`, {
    key,
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': `batch-of-${name}` },
    body: `company_domain,${column}\n${domain},${cell}\nno domain,${cell}\n`,
  });
  const { id: batchId } = batch.json() as { id: string };
  await vi.waitUntil(
    async () => {
      const now = await api().call('GET', `/v1/batches/${batchId}`, { key });
      return (now.json() as { state: string }).state === 'finished';
    },
    { timeout: waitMsMax, interval: 100 },
  );
  const spare = await api().call('POST', '/v1/account/api-keys', { key, json: { name: keyName } });
  const { id: keyId, hint } = spare.json() as { id: string; hint: string };
  const scanned = await openSchedule(key, schedule, domain);
  await vi.waitUntil(
    async () => {
      const reported = await api().call('GET', `/v1/webhooks/${hookId}/deliveries`, { key });
      const { deliveries } = reported.json() as { deliveries: { state: string }[] };
      return deliveries.length === 2 && deliveries.every(({ state }) => state === 'delivered');
    },
    { timeout: waitMsMax, interval: 100 },
  );
  const reported = makeCandidate(1, { accountId, companyKey: `d:${domain}`, name: candidate });
  await insertCandidates({ DATABASE_URL: api().database.url }, reported);
  const mapping = { company_name: `Mapped by ${name}`, advertiser_id: 'meta:1', note: candidate };
  const mapped = await api().call('POST', '/v1/companies/mapping', { key, json: mapping });
  expect(mapped.status).toBe(200);
  const requestId = searched.headers.get('x-request-id') ?? '';
  const inboxId = await openInbox(key, name);
  const destinationId = await openDestination(key, name, batchId);
  const linkIds = await shareReports(key, batchId, scanned.scheduleId);
  return {
    key,
    // Newest first, like lists.
    batches: [scanned.batchId, batchId],
    schedules: [scanned.scheduleId],
    inboxes: [inboxId],
    destinations: [destinationId],
    scans: [scanned.scanId],
    keys: [keyId],
    requests: [requestId],
    webhooks: [hookId],
    ads: await listAds(key),
    links: linkIds,
    traces: [
      ...secrets,
      ...Object.values(scanned),
      ...[batchId, keyId, hint, requestId, hookId, inboxId, destinationId, ...linkIds],
      ...[`hook-of-${name}`, `inbox-of-${name}`, `destination-of-${name}`],
      domain,
    ],
  };
}

/** Links to the report of a batch and of a schedule. */
async function shareReports(key: string, batch: string, schedule: string): Promise<readonly string[]> {
  const paths = [`/v1/batches/${batch}/report-links`, `/v1/schedules/${schedule}/report-links`];
  const shared = await Promise.all(paths.map((path) => api().call('POST', path, { key })));
  return shared.map((answer) => (answer.json() as { id: string }).id);
}

async function listAds(key: string): Promise<readonly string[]> {
  const answer = await api().call('GET', '/v1/ads?limit=2', { key });
  return (answer.json() as { ads: { id: string }[] }).ads.map(({ id }) => id);
}

/** A paused inbox on an empty folder. */
async function openInbox(key: string, name: string): Promise<string> {
  const location = join(root, `inbox-of-${name}`);
  mkdirSync(location);
  const added = await api().call('POST', '/v1/inboxes', {
    key,
    json: { name: `inbox-of-${name}`, location },
  });
  const { id } = added.json() as { id: string };
  await api().call('POST', `/v1/inboxes/${id}/pause`, { key });
  await vi.waitUntil(
    async () => {
      const { rows } = await api().database.owner.pool.query(
        'SELECT FROM nightshift.inboxes WHERE lease_until IS NOT NULL',
      );
      return rows.length === 0;
    },
    { timeout: waitMsMax, interval: 100 },
  );
  return id;
}

/** A destination in which a batch has landed. */
async function openDestination(key: string, name: string, batch: string): Promise<string> {
  const location = join(root, `destination-of-${name}`);
  mkdirSync(location);
  const json = { name: `destination-of-${name}`, location };
  const added = await api().call('POST', '/v1/destinations', { key, json });
  const { id } = added.json() as { id: string };
  await api().call('POST', `/v1/destinations/${id}/replay`, { key, json: { batch_id: batch } });
  const readState = async () => {
    const answer = await api().call('GET', `/v1/destinations/${id}/landings`, { key });
    return (answer.json() as { landings: { state: string }[] }).landings[0]?.state;
  };
  await vi.waitUntil(async () => (await readState()) === 'landed', { timeout: waitMsMax, interval: 100 });
  return id;
}

/** A schedule with a scan that has ended. */
async function openSchedule(key: string, name: string, domain: string) {
  const json = { name, cron: '0 2 * * *', rows: [{ company_domain: domain }] };
  const added = await api().call('POST', '/v1/schedules', { key, json });
  const { id: scheduleId } = added.json() as { id: string };
  await api().call('POST', `/v1/schedules/${scheduleId}/run`, { key });
  type Scan = { id: string; state: string; batch: string };
  const readScan = async () => {
    const answer = await api().call('GET', `/v1/schedules/${scheduleId}/scans`, { key });
    return (answer.json() as { scans: Scan[] }).scans[0];
  };
  await vi.waitUntil(async () => (await readScan())?.state === 'finished', {
    timeout: waitMsMax,
    interval: 100,
  });
  // Wait until its changes are evaluated.
  await vi.waitUntil(
    async () => {
      const { rows } = await api().database.owner.pool.query(
        'SELECT FROM nightshift.scans WHERE evaluated_at IS NULL',
      );
      return rows.length === 0;
    },
    { timeout: waitMsMax, interval: 100 },
  );
  const { id: scanId = '', batch: batchId = '' } = (await readScan()) ?? {};
  return { scheduleId, scanId, batchId };
}

/** Ids that another account must not use. */
function ids({ batches, schedules, inboxes, destinations, scans, keys, requests, ...others }: Tenant) {
  const { webhooks, ads, links } = others;
  return { batches, schedules, inboxes, destinations, scans, keys, requests, webhooks, ads, links };
}

async function ask({ method, path }: Operation, id: string): Promise<Answer> {
  return api().call(method, path.replace('{id}', encodeURIComponent(id)), { key: here.key });
}

/** An error response without the values of a single request: its id, its time, and the requested id. */
function tidied({ status, headers, text }: Answer, id: string): unknown {
  const own = [
    'date',
    'x-request-id',
    'content-length',
    'ratelimit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ];
  const { errors, meta } = JSON.parse(text) as ProblemBody;
  return {
    status,
    headers: Object.fromEntries([...headers].filter(([name]) => !own.includes(name))),
    errors: errors.map((error) => ({ ...error, title: error.title.replaceAll(id, '<id>') })),
    meta: Object.keys(meta),
  };
}

async function read<Body>(path: string, { key }: Tenant): Promise<Body> {
  const answer = await api().call('GET', path, { key });
  expect(answer.status).toBe(200);
  return answer.json() as Body;
}

/** Every path that an account can read with its own ids. */
function ownPaths({ batches, schedules, inboxes, destinations, webhooks, ads }: Tenant): readonly string[] {
  const shapes = ['rows', 'ads', 'variants'];
  const formats = ['csv', 'ndjson', 'json'];
  return [
    '/v1/credits',
    '/v1/events?follow=false',
    '/v1/sources',
    '/v1/batches',
    '/v1/ads?limit=1000',
    ...ads.flatMap((id) => [`/v1/ads/${id}`, `/v1/ads/${id}/observations`]),
    '/v1/emails?limit=500',
    '/v1/emails/counts',
    '/v1/emails/export?format=json',
    '/v1/companies/candidates',
    '/v1/companies/mapping',
    '/v1/changes?limit=1000&kind=baseline',
    '/v1/ledger?limit=1000',
    '/v1/account/api-keys',
    '/v1/account/audit?limit=1000',
    '/v1/account/users',
    '/v1/credits/usage?by=batch',
    '/v1/changes/days',
    '/v1/changes/export?kind=baseline',
    '/v1/rows/export?since=2020-01-01&format=ndjson',
    '/v1/schedule-times?cron=0+2+*+*+*&time_zone=UTC',
    '/v1/subscriptions',
    '/v1/sql/views',
    '/v1/sql/connection',
    '/v1/schedules',
    allChanges,
    ...schedules.flatMap((id) => [
      `/v1/schedules/${id}`,
      `/v1/schedules/${id}/next`,
      `/v1/schedules/${id}/scans`,
      `/v1/schedules/${id}/charts`,
      `/v1/schedules/${id}/report`,
      `/v1/schedules/${id}/report-links`,
      `/v1/schedules/${id}/report?format=md`,
    ]),
    '/v1/report-links',
    '/v1/inboxes',
    ...inboxes.flatMap((id) => [`/v1/inboxes/${id}`, `/v1/inboxes/${id}/files`]),
    '/v1/destinations',
    ...destinations.flatMap((id) => [`/v1/destinations/${id}`, `/v1/destinations/${id}/landings`]),
    '/v1/webhooks',
    ...webhooks.flatMap((id) => [`/v1/webhooks/${id}`, `/v1/webhooks/${id}/deliveries`]),
    ...batches.flatMap((id) => [
      `/v1/batches/${id}`,
      `/v1/batches/${id}/rows`,
      `/v1/batches/${id}/events`,
      `/v1/batches/${id}/timeline`,
      `/v1/batches/${id}/report-links`,
      `/v1/batches/${id}/landings`,
      `/v1/batches/${id}/pace`,
      `/v1/batches/${id}/rejected`,
      `/v1/batches/${id}/unidentified`,
      `/v1/batches/${id}/facets`,
      `/v1/batches/${id}/charts`,
      `/v1/ads?batch=${id}`,
      `/v1/batches/${id}/report?images=true`,
      `/v1/batches/${id}/report?format=md`,
      ...shapes.flatMap((shape) =>
        formats.map((format) => `/v1/batches/${id}/export?shape=${shape}&format=${format}`),
      ),
    ]),
  ];
}

function expectNoTrace({ text, headers }: Answer, { traces }: Tenant, what: string): void {
  const whole = `${JSON.stringify([...headers])}\n${text}`;
  // The examples of the document contain the same company.
  const reported = traces.filter(
    (trace) => whole.includes(trace) && !(trace === 'nike.com' && isDocument(what)),
  );
  expect(reported, what).toEqual([]);
}

function isDocument(path: string): boolean {
  return path === '/openapi.json' || path === '/docs';
}
