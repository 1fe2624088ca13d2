import { request as httpRequest } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';

const api = useTestApi();
const list = 'company\nNike\nPuma\n';

describe('compressed request body', () => {
  test('is decompressed for JSON and files, as text and in a form', async () => {
    const key = await api().createKey();
    const search = await api().call('POST', '/v1/ads/google-ads-search', {
      key,
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ company_domain: 'nike.com' })),
    });
    expect([search.status, search.json()]).toEqual([200, expect.objectContaining({ credits_consumed: 0.2 })]);
    const form = new FormData();
    form.set('file', new File([list], 'companies.csv'));
    const asForm = new Response(form);
    for (const [type, body] of [
      ['text/csv', Buffer.from(list)],
      [asForm.headers.get('content-type') ?? '', Buffer.from(await asForm.arrayBuffer())],
    ] as const) {
      const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' };
      const columns = await api().call('POST', '/v1/lists/columns', { key, headers, body: gzipSync(body) });
      expect([type, columns.status, columns.text]).toEqual([type, 200, expect.stringContaining('company')]);
    }
  });

  test('above the size limit after decompression is rejected', async () => {
    const key = await api().createKey();
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const body = gzipSync(`{"company_domain": "${'a'.repeat(50 * 1024 * 1024)}"}`);
    const answer = await api().call('POST', '/v1/ads/google-ads-search', { key, headers, body });
    expect([answer.status, codesOf(answer)]).toEqual([413, ['payload_too_large']]);
  });

  test.each([
    ['without compression', 'gzip', Buffer.from('{"company_domain": "nike.com"}'), 400],
    ['that is truncated', 'gzip', gzipSync('{"company_domain": "nike.com"}').subarray(0, 20), 400],
    ['in an unsupported encoding', 'br', Buffer.from('x'), 415],
  ])('%s is rejected', async (_what, coding, body, status) => {
    const key = await api().createKey();
    for (const [path, type] of [
      ['/v1/ads/google-ads-search', 'application/json'],
      ['/v1/lists/columns', 'text/csv'],
    ] as const) {
      const headers = { 'Content-Type': type, 'Content-Encoding': coding };
      expect([path, (await api().call('POST', path, { key, headers, body })).status]).toEqual([path, status]);
    }
  });
});

test('responses are compressed only for clients that accept it', async () => {
  const key = await api().createKey();
  const ask = (headers: Record<string, string>) =>
    exchange('/v1/ads?limit=100', { 'X-API-Key': key, ...headers });
  await api().call('POST', '/v1/ads/google-ads-search', { key, json: { company_domain: 'nike.com' } });
  const [plain, packed] = [await ask({}), await ask({ 'Accept-Encoding': 'gzip, br' })];
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
    undefined,
    'gzip',
  ]);
  expect(packed.body.length).toBeLessThan(plain.body.length / 3);
  expect(gunzipSync(packed.body).toString()).toEqual(plain.body.toString());
});

test('a 401 has WWW-Authenticate, for a missing key and a missing session', async () => {
  for (const path of ['/v1/credits', '/v1/sessions'])
    expect((await api().call('GET', path)).headers.get('www-authenticate')).toMatch(
      /^ApiKey realm="nightshift"/,
    );
});

test('responses have rate limit headers in the current and the earlier draft format', async () => {
  const { headers } = await api().call('GET', '/v1/credits', { key: await api().createKey() });
  const [policy, left] = [headers.get('ratelimit-policy') ?? '', headers.get('ratelimit') ?? ''];
  expect(policy).toBe(`"requests";q=${headers.get('ratelimit-limit')};w=60`);
  expect(left).toBe(`"requests";r=${headers.get('ratelimit-remaining')};t=${headers.get('ratelimit-reset')}`);
});

describe('/docs and /openapi.json', () => {
  test.each(['/docs', '/openapi.json'])('%s returns 304 for its current ETag', async (path) => {
    const first = await api().call('GET', path);
    const tag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const again = await api().call('GET', path, { headers: { 'If-None-Match': tag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('every operation has a unique operationId', async () => {
    const { paths } = (await api().call('GET', '/openapi.json')).json() as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id ?? ''))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test.each([
  ['evil.example', 404],
  ['evil.example:80', 404],
  ['127.0.0.1', 200],
  ['[::1]:3000', 200],
  ['localhost', 200],
  ['nightshift:3000', 200],
  ['nightshift.internal', 200],
])('/metrics with Host: %s returns %i', async (host, status) => {
  expect((await exchange('/metrics', { Host: host })).status).toBe(status);
});

function exchange(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      httpRequest(`${api().url}${path}`, { headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) });
        });
      })
        .on('error', reject)
        .end();
    },
  );
}
