import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { problemKinds } from '../../../src/api/http/problem.ts';
import { movedPaths, pagePaths } from '../../../src/console/paths.ts';
import { openTestApi, useTestApi, type ProblemBody } from '../../support/api/test-api.ts';
import {
  followRef,
  listOperations,
  nameOf,
  type Document,
  type Operation,
  type Schema,
} from '../../support/openapi/document.ts';
import { readMetrics, type Metrics } from '../../support/openapi/metric-text.ts';
import { createOfflineApi } from '../../support/openapi/offline-api.ts';
import { readCommittedDocument } from '../../support/openapi/write-document.ts';
import { openSourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

const api = useTestApi();
let document: Document;
let operations: readonly Operation[];

beforeAll(async () => {
  document = (await api().call('GET', '/openapi.json')).json() as Document;
  operations = listOperations(document);
});

/** True for the pages behind links, which are only for people. */
const isForPeople = (name: string) => / \/(?:webhooks\/confirm|shared\/reports)\/\{token\}$/.test(name);

describe('/openapi.json', () => {
  test('is OpenAPI 3.1, in JSON, without a key', async () => {
    const answer = await api().call('GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  });

  test('equals the committed document: npx tsx test/support/openapi/write-document.ts updates it', () => {
    expect(document).toEqual(readCommittedDocument());
  });

  test('resolves every reference', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs) expect(followRef(document, ref)).toBeTypeOf('object');
  });

  test('uses every named schema', () => {
    const text = JSON.stringify(document);
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    expect(unused).toEqual([]);
  });

  test('gives every operation a summary, a known tag, responses and all path parameters', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const operation of operations) {
      const { summary = '', tags: own = [], responses = {}, parameters = [] } = operation.reported;
      expect.soft(summary, nameOf(operation)).not.toBe('');
      expect.soft(own.length, nameOf(operation)).toBeGreaterThan(0);
      expect.soft(tags, nameOf(operation)).toEqual(expect.arrayContaining([...own]));
      expect
        .soft(Object.keys(responses), nameOf(operation))
        .toContainEqual(expect.stringMatching(/^(2\d\d|302)$/));
      for (const { description } of Object.values(responses)) expect.soft(description).not.toBe('');
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect.soft(operation.path.match(/\{\w+\}/g) ?? [], nameOf(operation)).toEqual(inPath);
    }
    const summaries = operations.map(({ reported }) => reported.summary);
    expect(new Set(summaries).size).toBe(summaries.length);
  });

  test('documents the 401 of every operation that requires a key', () => {
    const guarded = operations.filter(({ isGuarded }) => isGuarded);
    expect(guarded.map(({ path }) => path.split('/')[1])).toEqual(guarded.map(() => 'v1'));
    for (const operation of guarded)
      expect(Object.keys(operation.reported.responses ?? {}), nameOf(operation)).toContain('401');
  });

  test('has valid schemas of JSON Schema 2020-12, and examples that match them', () => {
    const ajv = new Ajv2020({ strict: false });
    // Under NodeNext the default export has the type of the whole module.
    (addFormats as unknown as (to: Ajv2020) => void)(ajv);
    ajv.addSchema(document, 'document');
    const schemas = schemasIn(document);
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of schemas) {
      const text = JSON.stringify(schema);
      expect(ajv.validateSchema(schema), text).toBe(true);
      if (schema.example === undefined) continue;
      const validate = ajv.compile(
        JSON.parse(text.replaceAll('"#/components', '"document#/components')) as object,
      );
      expect(validate(schema.example), text).toBe(true);
    }
  });

  test('gives bounds for every integer in a query', () => {
    const limits = operations.flatMap(({ reported }) =>
      (reported.parameters ?? []).filter(({ schema }) => schema.type === 'integer'),
    );
    expect(limits.length).toBeGreaterThan(0);
    for (const { name, schema } of limits)
      expect(schema, name).toMatchObject({
        minimum: expect.any(Number) as number,
        maximum: expect.any(Number) as number,
      });
  });

  test('has exactly the routes of the server', () => {
    const routed = createOfflineApi()
      .routes.filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const others = [...new Set(routed)].filter((name) => !isOfConsole(name) && !isForPeople(name));
    expect(others.sort()).toEqual(operations.map(nameOf).sort());
    expect(routed).toContain('GET /batches/new');
  });

  test('has only operations that exist, with 401 without a key or session where required', async () => {
    const others: Readonly<Record<string, number>> = {
      'POST /v1/session': 403,
      'POST /v1/session/password': 403,
      'DELETE /v1/session': 403,
      'DELETE /v1/session/view': 403,
      'DELETE /v1/sessions': 403,
      'DELETE /v1/sessions/{id}': 403,
      'GET /v1/session/provider': 404,
      'GET /v1/session/provider/callback': 404,
    };
    for (const operation of operations) {
      const { method, path, isGuarded, isOfSession } = operation;
      const answer = await api().call(method, path.replace('{code}', 'not_found').replace('{id}', 'x'));
      expect(answer.status, nameOf(operation)).toBe(
        others[nameOf(operation)] ?? (isGuarded || isOfSession ? 401 : 200),
      );
    }
  });

  test.each([
    'POST /v1/ads/google-ads-search',
    'POST /v1/people/email-validation',
    'GET /v1/credits',
    'POST /v1/batches',
    'GET /v1/batches',
    'GET /v1/batches/{id}',
    'GET /v1/batches/{id}/rows',
    'GET /v1/batches/{id}/export',
    'GET /v1/rows/export',
    'GET /v1/batches/{id}/report',
    'GET /v1/batches/{id}/events',
    'GET /v1/events',
    'POST /v1/batches/{id}/pause',
    'POST /v1/batches/{id}/resume',
    'POST /v1/batches/{id}/cancel',
    'POST /v1/batches/{id}/retry',
    'POST /v1/schedules',
    'GET /v1/schedules',
    'GET /v1/schedules/{id}',
    'PATCH /v1/schedules/{id}',
    'DELETE /v1/schedules/{id}',
    'GET /v1/schedules/{id}/next',
    'GET /v1/schedules/{id}/scans',
    'POST /v1/schedules/{id}/pause',
    'POST /v1/schedules/{id}/resume',
    'POST /v1/schedules/{id}/run',
    'GET /v1/ads',
    'GET /v1/changes',
    'GET /v1/ledger',
    'GET /v1/account/api-keys',
    'POST /v1/account/api-keys',
    'POST /v1/account/api-keys/{id}/regenerate',
    'POST /v1/account/api-keys/{id}/revoke',
    'GET /openapi.json',
    'GET /docs',
    'GET /errors/{code}',
    'GET /livez',
    'GET /readyz',
    'GET /metrics',
  ])('includes %s', (name) => {
    expect(operations.map(nameOf)).toContain(name);
  });
});

describe('/docs', () => {
  test('lists every operation and every schema', async () => {
    const { text, status } = await api().call('GET', '/docs');
    expect(status).toBe(200);
    for (const { method, path, reported } of operations) {
      expect(text).toContain(`<span class="method">${method}</span> <code>${path}</code>`);
      expect(text).toContain(escaped(reported.summary ?? ''));
    }
    for (const name of Object.keys(document.components.schemas))
      expect(text).toContain(`id="schema-${name}"`);
  });

  test('has only links to its own anchors and to existing pages', async () => {
    const { text } = await api().call('GET', '/docs');
    const links = linksIn(text);
    expect(links.length).toBeGreaterThan(operations.length);
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map((match) => `#${match[1]}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const link of new Set(links)) {
      if (link.startsWith('#')) expect(ids).toContain(link);
      else expect((await api().call('GET', link)).status, link).toBe(200);
    }
  });

  test('sends no requests to other origins, and runs no script', async () => {
    await expectQuiet('/docs');
  });
});

describe('/errors/<code>', () => {
  test.each(Object.entries(problemKinds))(
    'has a page for %s',
    async (code, { status, title, when, remedy }) => {
      const answer = await api().call('GET', `/errors/${code}`);
      expect(answer.status).toBe(200);
      for (const part of [code, `HTTP ${status}`, title, when, remedy])
        expect(answer.text).toContain(escaped(part));
      await expectQuiet(`/errors/${code}`);
    },
  );

  test('is the type of an error of the API', async () => {
    const answer = await api().call('GET', '/v1/credits');
    const [error] = (answer.json() as ProblemBody).errors;
    const page = await fetch(error?.type ?? '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('invalid_api_key')]);
  });

  test.each(['nothing', 'constructor', '__proto__', 'INVALID_API_KEY', '%3Cscript%3E'])(
    'returns 404 as JSON for %s',
    async (code) => {
      const answer = await api().call('GET', `/errors/${code}`);
      expect([answer.status, (answer.json() as ProblemBody).errors[0]?.code]).toEqual([404, 'not_found']);
    },
  );
});

describe('endpoints for operators', () => {
  test('/livez returns 200 without a key', async () => {
    const answer = await api().call('GET', '/livez');
    expect([answer.status, answer.text]).toEqual([200, 'ok\n']);
  });

  test('/readyz returns the state of database, migrations and queue without a key', async () => {
    const answer = await api().call('GET', '/readyz');
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      ready: true,
      database: 'ok',
      migrations: 'ok',
      queue: 'ok',
      dispatcher: 'ok',
    });
  });

  test('/metrics returns all metrics in the format of Prometheus without a key', async () => {
    const answer = await api().call('GET', '/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(readMetrics(answer.text).names).toEqual(
      expect.arrayContaining([
        'nightshift_http_requests_total',
        'nightshift_http_request_seconds',
        'nightshift_lookups',
        'nightshift_source_seconds',
        'nightshift_source_answers',
        'nightshift_credits_charged',
        'nightshift_credits_balance',
        'nightshift_credits_held',
        'nightshift_lookups_open',
        'nightshift_chunks',
        'nightshift_oldest_waiting_seconds',
      ]),
    );
  });

  test('/metrics count a search that finds ads as request, outcome, charge and balance', async () => {
    const key = await api().createKey();
    const before = await metrics();
    const route = '/v1/ads/google-ads-search';
    await api().call('POST', route, { key, json: { company_domain: 'nike.com' } });
    const after = await metrics();
    const grown = (name: string, labels?: Record<string, string>) =>
      Math.round(((after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0)) * 1e6) / 1e6;
    const request = { route, method: 'POST' };
    expect(grown('nightshift_http_requests_total', { ...request, status: '200' })).toBe(1);
    expect(grown('nightshift_http_request_seconds_count', request)).toBe(1);
    expect(grown('nightshift_lookups', { outcome: 'found' })).toBe(1);
    expect(grown('nightshift_lookups', { outcome: 'none' })).toBe(0);
    expect(grown('nightshift_credits_charged')).toBe(0.2);
    expect(grown('nightshift_credits_balance', { account: 'default' })).toBe(-0.2);
    expect(after.value('nightshift_credits_held', { account: 'default' })).toBe(0);
  });

  test('/metrics stay correct under concurrent searches and scrapes', async () => {
    const key = await api().createKey();
    const searches = Array.from({ length: 100 }, async (_, n) => {
      const json = { company_domain: n % 2 === 0 ? 'nike.com' : `acme-${n}.com` };
      await api().call('POST', '/v1/ads/google-ads-search', { key, json });
      await metrics();
    });
    await Promise.all(searches);
    const found = await api().database.owner.pool.query<{ outcome: string; n: number }>(
      'SELECT outcome, count(*)::integer AS n FROM nightshift.all_lookups WHERE outcome IS NOT NULL GROUP BY outcome',
    );
    const shown = await metrics();
    for (const { outcome, n } of found.rows) expect(shown.value('nightshift_lookups', { outcome })).toBe(n);
  });

  test('/metrics count a request under its route, and no unknown path becomes a route', async () => {
    const before = await metrics();
    await api().call('GET', '/v1/credits');
    await api().call('GET', '/v1/batches/bat_absent/rows');
    await api().call('GET', '/some/unknown/path');
    await api().call('DELETE', '/v1/credits');
    const after = await metrics();
    const count = (at: Metrics, route: string) =>
      at.value('nightshift_http_requests_total', { method: 'GET', status: '401', route }) ?? 0;
    for (const route of ['/v1/credits', '/v1/batches/:id/rows'])
      expect(count(after, route) - count(before, route), route).toBe(1);
    const routes = after.labels('nightshift_http_requests_total', 'route');
    expect(routes.filter((route) => route.includes('unknown') || route.includes('absent'))).toEqual([]);
  });

  test('/metrics show open lookups, and the age of the oldest', async () => {
    const key = await api().createKey();
    const before = await metrics();
    const rows = ['acme-one.com', 'acme-two.com', 'acme-three.com'].map((company_domain) => ({
      company_domain,
    }));
    const made = await api().call('POST', '/v1/batches', { key, json: { rows } });
    const after = await metrics();
    const open = (at: Metrics) => at.value('nightshift_lookups_open') ?? 0;
    expect(open(after) - open(before)).toBe(3);
    expect(after.value('nightshift_oldest_waiting_seconds')).toBeGreaterThan(0);
    const { id } = made.json() as { id: string };
    await api().call('POST', `/v1/batches/${id}/cancel`, { key });
    expect(open(await metrics())).toBe(open(before));
  });

  test('/metrics show latency and results of a live source by name', async () => {
    const source = await openSourceStandIn({ ads: () => generateAds('acme.com', 4).slice(0, 1) });
    onTestFinished(() => source.close());
    const settings = {
      NIGHTSHIFT_SOURCES: 'upstream',
      NIGHTSHIFT_UPSTREAM_URL: source.url,
      NIGHTSHIFT_UPSTREAM_KEY: source.key,
    };
    const own = await openTestApi({ settings });
    onTestFinished(() => own.close());
    const answer = await own.call('POST', '/v1/ads/google-ads-search', {
      key: await own.createKey(),
      json: { company_domain: 'acme.com' },
    });
    expect(answer.status).toBe(200);
    const shown = readMetrics((await own.call('GET', '/metrics')).text);
    expect(shown.value('nightshift_source_seconds', { source: 'upstream', quantile: '0.5' })).toBeGreaterThan(
      0,
    );
    expect(
      shown.value('nightshift_source_seconds', { source: 'upstream', quantile: '0.99' }),
    ).toBeGreaterThan(0);
    expect(shown.labels('nightshift_source_answers', 'source')).toEqual(['upstream']);
  });
});

async function metrics(): Promise<Metrics> {
  return readMetrics((await api().call('GET', '/metrics')).text);
}

/** Expects a page that loads nothing, runs nothing, and links to no other site. */
async function expectQuiet(path: string): Promise<void> {
  const { text, headers } = await api().call('GET', path);
  expect(headers.get('content-type')).toMatch(/^text\/html; charset=utf-8/i);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy.split(';').map((part) => part.trim())).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script-src|http|\*/);
  expect(text).toMatch(/^<!doctype html>/);
  expect(text.match(/<!doctype html>/gi)).toHaveLength(1);
  expect(text).not.toMatch(/<(script|link|img|iframe|object|embed|base|form|meta http-equiv)\b/i);
  expect(text).not.toMatch(/\b(src|srcset|style|on\w+)="/i);
  expect(text).not.toMatch(/@import|url\(/i);
  expect(text).not.toMatch(/\b(https?|wss?):\/\//);
  for (const link of linksIn(text)) expect(link).toMatch(/^(#|\/[^/])/);
}

/** Pages and files of the console and of the queue dashboard are for people; their actions use the API. */
function isOfConsole(name: string): boolean {
  const [, path = ''] = name.split(' ');
  return [
    ...[...pagePaths, ...movedPaths.map(([from]) => from)].map((page) => page.replace(/:(\w+)/g, '{$1}')),
    '/*',
    '/assets/{name}',
    '/icon.svg',
    '/sample-creatives/{name}',
    // The queues, shown to operators by bull-board.
    '/operator/queues',
    '/operator/queues/*',
  ].includes(path);
}

function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/ href="([^"]*)"/g)].map((match) => match[1] ?? '');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Every schema of the document, including nested ones. */
function schemasIn({ components, paths }: Document): readonly Schema[] {
  const found: Schema[] = [];
  const take = (schema: Schema) => {
    found.push(schema);
    for (const each of Object.values(schema.properties ?? {})) take(each);
    if (schema.items !== undefined) take(schema.items);
    if (typeof schema.additionalProperties === 'object') take(schema.additionalProperties);
  };
  Object.values(components.schemas).forEach(take);
  for (const { reported } of listOperations({ paths } as Document)) {
    for (const { schema } of reported.parameters ?? []) take(schema);
    for (const { content = {} } of [reported.requestBody ?? {}, ...Object.values(reported.responses ?? {})]) {
      for (const { schema } of Object.values(content)) if (schema !== undefined) take(schema);
    }
  }
  return found;
}
