import { request as openRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  codesOf,
  openTestApi,
  useTestApi,
  type Answer,
  type TestApi,
  type Call,
  type ProblemBody,
} from '../../support/api/test-api.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import type { Failure } from '../../support/stand-in/stand-in-failures.ts';

const path = '/v1/ads/google-ads-search';
const jsonBytesMax = 64 * 1024;

describe('invalid search request', () => {
  const api = useTestApi();
  const search = (call: Call) => searchAt(api(), call);

  describe('error body', () => {
    test('§7 has type, title, status and code, and the request with its time', async () => {
      const answer = await search({ json: {} });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.json()).toEqual({
        errors: [
          {
            type: `${api().url}/errors/validation_error`,
            title: expect.stringMatching(/\S/) as string,
            status: 400,
            code: 'validation_error',
          },
        ],
        meta: {
          request_id: answer.headers.get('x-request-id'),
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        },
      });
      expect(answer.headers.get('x-request-id')).toMatch(/\S/);
    });

    test('§7 has a unique request id and the time of the response', async () => {
      const before = Date.now();
      const answers = await Promise.all([search({ json: {} }), search({ json: {} }), search({ json: {} })]);
      const metas = answers.map((answer) => (answer.json() as ProblemBody).meta);
      expect(new Set(metas.map((meta) => meta.request_id)).size).toBe(3);
      for (const { timestamp } of metas) {
        expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before - 1);
        expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now() + 1);
      }
    });

    test.each([
      ['validation_error', 'POST', path, { json: {} }],
      ['not_found', 'GET', '/v1/nothing-here', {}],
      ['method_not_allowed', 'GET', path, {}],
      [
        'unsupported_media_type',
        'POST',
        path,
        { body: 'nike.com', headers: { 'Content-Type': 'text/plain' } },
      ],
    ] as const)('§7 the type of %s is the URL of its documentation page', async (code, method, at, call) => {
      const answer = await api().call(method, at, { key: await api().createKey(), ...call });
      const [error] = (answer.json() as ProblemBody).errors;
      expect(error).toMatchObject({ code, status: answer.status, type: `${api().url}/errors/${code}` });
      const page = await fetch(error?.type ?? '');
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(await page.text()).toContain(code);
    });

    test('our choice: an unknown code has no documentation page', async () => {
      const answer = await api().call('GET', '/errors/no_such_code');
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    });
  });

  describe('company', () => {
    test.each<readonly [string, unknown]>([
      ['neither field', {}],
      ['unknown fields only', { domain: 'nike.com', name: 'Nike' }],
      ['an empty domain', { company_domain: '' }],
      ['an empty name', { company_name: '' }],
      ['both fields empty', { company_domain: '', company_name: '' }],
      ['both fields blank', { company_domain: ' \t', company_name: '\n ' }],
      ['an IPv4 address as domain', { company_domain: '192.168.1.1' }],
      ['an IPv6 address as domain', { company_domain: '2001:db8::1' }],
      ['a link to an IP address as domain', { company_domain: 'http://10.0.0.1:8080/' }],
      ['a domain of one label', { company_domain: 'localhost' }],
      ['a public suffix as domain', { company_domain: 'co.uk' }],
      ['a sentence as domain', { company_domain: 'not a domain at all' }],
      ['a script as domain', { company_domain: 'javascript:alert(1)' }],
      ['a header injection in the domain', { company_domain: 'nike.com\r\nX-Evil: 1' }],
      ['a NUL in the domain', { company_domain: 'nike\0.com' }],
      ['a domain of 10,000 characters', { company_domain: `${'a.'.repeat(5_000)}com` }],
      ['an IP address beside a valid name', { company_domain: '192.168.1.1', company_name: 'Nike, Inc.' }],
      ['a single label beside a valid name', { company_domain: 'localhost', company_name: 'Nike, Inc.' }],
      ['an invalid domain beside a valid name', { company_domain: '###', company_name: 'Nike, Inc.' }],
      ['a name without a letter', { company_name: '!!!' }],
      ['a NUL in the name', { company_name: 'Ni\0ke' }],
      ['a name of 5,000 characters', { company_name: 'x'.repeat(5_000) }],
      ['a number as domain', { company_domain: 7 }],
      ['a boolean as name', { company_name: true }],
      ['null as domain', { company_domain: null }],
      ['null as domain beside a valid name', { company_domain: null, company_name: 'Nike, Inc.' }],
      ['null as name beside a valid domain', { company_domain: 'nike.com', company_name: null }],
      ['a list as domain', { company_domain: ['nike.com'] }],
      ['an object as name', { company_name: { text: 'Nike' } }],
    ])('our choice: %s is a 400 with one error, free, and nothing is stored', async (_case, json) => {
      expect(await refusedBy(api(), { json })).toEqual([400, ['validation_error']]);
    });

    test.each<readonly [string, unknown, readonly string[]]>([
      ['two wrong types', { company_domain: 7, company_name: 8 }, ['company_domain', 'company_name']],
      [
        'an invalid domain and an invalid name',
        { company_domain: 'localhost', company_name: '!!!' },
        ['company_domain', 'company_name'],
      ],
    ])('our choice: %s are two errors, each naming its field', async (_case, json, fields) => {
      const { errors } = (await search({ json })).json() as ProblemBody;
      expect(errors.map(({ status, code }) => [status, code])).toEqual(
        fields.map(() => [400, 'validation_error']),
      );
      for (const [i, field] of fields.entries()) expect(errors[i]?.title).toContain(field);
    });

    test('our choice: an invalid name beside a valid domain is ignored, because it is only a hint', async () => {
      const answer = await search({ json: { company_domain: 'nike.com', company_name: '!!!' } });
      expect(answer.status).toBe(200);
    });
  });

  describe('body', () => {
    test.each<readonly [string, string | Uint8Array]>([
      ['an empty body', ''],
      ['null', 'null'],
      ['a text', '"nike.com"'],
      ['a number', '7'],
      ['a boolean', 'true'],
      ['a list', '[{"company_domain":"nike.com"}]'],
      ['an object that is cut off', '{"company_domain":"nike.com"'],
      ['two objects', '{"company_domain":"nike.com"} {}'],
      ['single quotes', "{'company_domain':'nike.com'}"],
      ['a form', 'company_domain=nike.com'],
      ['bytes that are not UTF-8 in the name', Buffer.from('{"company_name":"Nestl\xe9"}', 'latin1')],
      ['bytes that are not UTF-8 in an unknown field', nikeWithBadBytes()],
      ['an overlong encoding of a slash', Buffer.from('{"company_name":"a\xc0\xaf"}', 'latin1')],
      ['a surrogate in UTF-8', Buffer.from('{"company_name":"a\xed\xa0\x80"}', 'latin1')],
      ['UTF-16', Buffer.from('{"company_domain":"nike.com"}', 'utf16le')],
    ])('our choice: %s as JSON is a 400 with one error, free, and nothing is stored', async (_case, body) => {
      const headers = { 'Content-Type': 'application/json' };
      expect(await refusedBy(api(), { body, headers })).toEqual([400, ['validation_error']]);
    });

    test('our choice: a JSON error does not repeat the text that could not be parsed', async () => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await search({ body: '{"company_name":"hunter2"', headers });
      expect(answer.text).not.toContain('hunter2');
      expect(answer.text).not.toMatch(/\bat \S+:\d+|node_modules|SyntaxError/);
    });

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/csv',
      'application/jsonp',
      'text/json',
    ])('our choice: a body as %s is a 415, free, and nothing is stored', async (type) => {
      const call = { body: '{"company_domain":"nike.com"}', headers: { 'Content-Type': type } };
      expect(await refusedBy(api(), call)).toEqual([415, ['unsupported_media_type']]);
    });

    test('our choice: multipart/form-data is a 415', async () => {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      const body =
        '--x\r\nContent-Disposition: form-data; name="company_domain"\r\n\r\nnike.com\r\n--x--\r\n';
      expect(await refusedBy(api(), { body, headers })).toEqual([415, ['unsupported_media_type']]);
    });

    test('§4 a body without a Content-Type is a 415, free, and nothing is stored', async () => {
      const body = Buffer.from('{"company_domain":"nike.com"}');
      expect(await refusedBy(api(), { body })).toEqual([415, ['unsupported_media_type']]);
    });

    test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
      '§4 a body as %s is accepted',
      async (type) => {
        const call = { body: '{"company_domain":"nike.com"}', headers: { 'Content-Type': type } };
        expect((await search(call)).status).toBe(200);
      },
    );
  });

  describe('size', () => {
    test.each([
      ['with Content-Length', false],
      ['with chunked encoding', true],
    ])('our choice: 64 KiB are accepted and one byte more is a 413, %s', async (_case, chunked) => {
      const key = await api().createKey();
      const fits = await sendRaw(api(), { key, body: bodyOfBytes(jsonBytesMax), chunked });
      expect(fits.status).toBe(200);
      const before = await stateOf(api());
      const over = await sendRaw(api(), { key, body: bodyOfBytes(jsonBytesMax + 1), chunked });
      expect(over.status).toBe(413);
      const { errors } = JSON.parse(over.text) as ProblemBody;
      expect(errors).toMatchObject([{ status: 413, code: 'payload_too_large' }]);
      expect(await stateOf(api())).toEqual(before);
    });
  });

  describe('path', () => {
    test.each(['/v1', '/v1/', `${path}/`, `${path}/nike.com`, '/v2/ads/google-ads-search', '/%00', '/%ff'])(
      '§9 POST %s is a 404, with and without a key',
      async (at) => {
        for (const key of [await api().createKey(), undefined]) {
          const answer = await api().call('POST', at, {
            ...(key === undefined ? {} : { key }),
            json: { company_domain: 'nike.com' },
          });
          expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
        }
      },
    );

    // Pages of the console, and a path that would be the id of an ad.
    test.each(['/', '/ads/google-ads-search', '/v1/ads/Google-Ads-Search', '/v1/ads/google-ads-search%2f..'])(
      '§9 POST %s is a 405 with Allow: GET, HEAD, with and without a key',
      async (at) => {
        for (const key of [await api().createKey(), undefined]) {
          const answer = await api().call('POST', at, {
            ...(key === undefined ? {} : { key }),
            json: { company_domain: 'nike.com' },
          });
          expect([answer.status, codesOf(answer)]).toEqual([405, ['method_not_allowed']]);
          expect(answer.headers.get('allow')).toBe('GET, HEAD');
        }
      },
    );

    test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
      'our choice: %s is a 405 with the allowed methods',
      async (method) => {
        const answer = await api().call(method, path, { key: await api().createKey() });
        expect([answer.status, codesOf(answer)]).toEqual([405, ['method_not_allowed']]);
        expect(answer.headers.get('allow')).toBe('POST');
      },
    );

    test('our choice: HEAD is a 405, without a body', async () => {
      const answer = await api().call('HEAD', path, { key: await api().createKey() });
      expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([405, 'POST', '']);
    });

    test('our choice: the 405 of a GET route has Allow: GET, HEAD', async () => {
      const answer = await api().call('POST', '/v1/credits', { key: await api().createKey(), json: {} });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD']);
    });
  });

  test('every invariant holds after all of them', async () => {
    expect(await api().findings()).toEqual([]);
  });
});

describe('search without enough credits', () => {
  test.each([
    ['an account without credits', 0n],
    ['an account with a microcredit less than the price', 199_999n],
  ])('our choice: %s gets a 402; no source is called and nothing is stored', async (_case, micro) => {
    const source = await openSourceStandIn();
    onTestFinished(() => source.close());
    const api = await openTestApiFor(upstreamAt(source.url, source.key));
    const key = await accountWith(api, micro);
    const before = await stateOf(api, 'poor');
    const answer = await api.call('POST', path, { key, json: { company_domain: 'nike.com' } });
    expect([answer.status, codesOf(answer)]).toEqual([402, ['insufficient_credits']]);
    expect(source.log).toEqual([]);
    expect(await stateOf(api, 'poor')).toEqual(before);
    expect(await api.findings()).toEqual([]);
  });

  test('§8 an account with exactly the price of a find may search once', async () => {
    const api = await openTestApiFor({});
    const key = await accountWith(api, 200_000n);
    const call = { key, json: { company_domain: 'nike.com' } };
    expect((await api.call('POST', path, call)).status).toBe(200);
    expect(await api.balance('poor')).toEqual({ balanceMicro: 0n, heldMicro: 0n });
    expect((await api.call('POST', path, call)).status).toBe(402);
  });

  test('our choice: a request error comes before the lack of credits', async () => {
    const api = await openTestApiFor({});
    const key = await accountWith(api, 0n);
    expect((await api.call('POST', path, { key, json: {} })).status).toBe(400);
  });
});

describe('search with an unavailable source', () => {
  test('our choice: a refused connection is a 503 with Retry-After, free', async () => {
    await expectUnavailable(await openTestApiFor(upstreamAt('http://127.0.0.1:59999', 'k')));
  });

  test.each([
    ['a selected source without configuration', { NIGHTSHIFT_SOURCES: 'upstream' }],
    ['a selected source without loaded ads', { NIGHTSHIFT_SOURCES: 'snapshot' }],
    ['no source at all', { NIGHTSHIFT_SOURCES: '' }],
  ])('our choice: %s: a 500 without Retry-After, free', async (_case, settings) => {
    await expectNotConfigured(await openTestApiFor(settings));
  });

  test('our choice: a rate limit of the source is a 429 with Retry-After, free', async () => {
    const failure = { kind: 'status', status: 429, retryAfter: '90' } as const;
    const source = await openSourceStandIn({ script: [{ failure }] });
    onTestFinished(() => source.close());
    const api = await openTestApiFor(upstreamAt(source.url, source.key));
    const before = await api.balance();
    const answer = await searchAt(api, { json: { company_domain: 'nike.com' } });
    expect([answer.status, codesOf(answer)]).toEqual([429, ['rate_limit_exceeded']]);
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await api.balance()).toEqual(before);
    expect(await api.findings()).toEqual([]);
  });
});

describe('search with an unusable reply of the source', () => {
  const apis = useUpstreamApi();

  test.each<readonly [string, Failure]>([
    ['a status 500', { kind: 'status', status: 500 }],
    ['a rejected credential', { kind: 'status', status: 401 }],
    ['no credits left at the source', { kind: 'status', status: 402 }],
    ['a rejected request', { kind: 'status', status: 400 }],
    ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:1/' }],
    ['a body that is not JSON', { kind: 'malformed' }],
    ['an empty object', { kind: 'body', body: {} }],
    ['ads that are not a list', { kind: 'body', body: { ads: 'none', credits_consumed: 0, message: '' } }],
    ['a closed connection', { kind: 'cut', when: 'before' }],
    ['a truncated body', { kind: 'cut', when: 'middle' }],
  ])('our choice: %s: a 503 with Retry-After, free, and never "no ads"', async (_case, failure) => {
    const { api, source } = apis();
    const callsBefore = source.log.length;
    source.setBehaviour(() => failure);
    await expectUnavailable(api);
    expect(source.log.length).toBeGreaterThan(callsBefore);
  });

  test('our choice: the same search succeeds once the source works again', async () => {
    const { api, source } = apis();
    const json = { company_domain: 'adidas.com' };
    source.setBehaviour(() => ({ kind: 'status', status: 500 }));
    expect((await searchAt(api, { json })).status).toBe(503);
    source.setBehaviour(() => undefined);
    expect((await searchAt(api, { json })).status).toBe(200);
  });
});

test('our choice: a source that rejected the credential is not called again at once, by any search', async () => {
  const source = await openSourceStandIn();
  onTestFinished(source.close);
  const api = await openTestApiFor(upstreamAt(source.url, 'another-key'));
  await expectUnavailable(api);
  const answer = await searchAt(api, { json: { company_domain: 'adidas.com' } });
  expect([answer.status, codesOf(answer)]).toEqual([503, ['source_unavailable']]);
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(30);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(source.log).toHaveLength(1);
});

/** Opens a server whose source is a scripted stand-in, shared by the tests of a block. */
function useUpstreamApi() {
  let opened: { readonly api: TestApi; readonly source: SourceStandIn } | undefined;
  beforeAll(async () => {
    const source = await openSourceStandIn();
    // Retries a source at once after a rejection: each test begins with a call.
    const settings = { ...upstreamAt(source.url, source.key), NIGHTSHIFT_SOURCE_WAIT_SECONDS: '0.001' };
    opened = { source, api: await openTestApi({ settings }) };
  });
  afterAll(async () => {
    await opened?.api.close();
    await opened?.source.close();
  });
  return () => {
    if (opened === undefined) throw new Error('The server is there once the tests run.');
    return opened;
  };
}

/** Sends a search with a valid key, unless the call has one. */
async function searchAt(api: TestApi, call: Call): Promise<Answer> {
  return api.call('POST', path, { key: await api.createKey(), ...call });
}

/** Status and codes of a search that must not change anything. */
async function refusedBy(api: TestApi, call: Call): Promise<readonly [number, readonly string[]]> {
  const key = await api.createKey();
  const before = await stateOf(api);
  const answer = await api.call('POST', path, { key, ...call });
  expect(await stateOf(api)).toEqual(before);
  return [answer.status, codesOf(answer)];
}

async function stateOf(api: TestApi, account = 'default') {
  return { rows: await api.countRows(), balance: await api.balance(account) };
}

/** Expects a search to fail with 503 and a Retry-After. */
async function expectUnavailable(api: TestApi): Promise<void> {
  const answer = await expectRefused(api);
  expect([answer.status, codesOf(answer)], answer.text).toEqual([503, ['source_unavailable']]);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

/** Expects a search to fail with an error that no retry resolves. */
async function expectNotConfigured(api: TestApi): Promise<void> {
  const answer = await expectRefused(api);
  expect([answer.status, codesOf(answer)], answer.text).toEqual([500, ['not_configured']]);
  expect(answer.headers.get('retry-after')).toBeNull();
}

/** Expects a search to charge nothing, hold nothing, and reveal nothing about the source. */
async function expectRefused(api: TestApi): Promise<Answer> {
  const before = await api.balance();
  const answer = await searchAt(api, { json: { company_domain: 'nike.com' } });
  const titles = (answer.json() as ProblemBody).errors.map(({ title }) => title).join();
  expect(titles).not.toMatch(/NIGHTSHIFT_|127\.0\.0\.1|nightshift \w+ /);
  expect(await api.balance()).toEqual(before);
  expect(await countCharges(api)).toBe(0);
  expect(await api.findings()).toEqual([]);
  return answer;
}

async function countCharges({ database }: TestApi): Promise<number> {
  const found = await database.owner.pool.query<{ n: number }>(
    "SELECT count(*)::integer AS n FROM nightshift.ledger_entries WHERE kind = 'settle'",
  );
  return found.rows[0]?.n ?? 0;
}

/** Opens a server with its own settings until the test ends. */
async function openTestApiFor(settings: Readonly<Record<string, string>>): Promise<TestApi> {
  const api = await openTestApi({ settings });
  onTestFinished(() => api.close());
  return api;
}

function upstreamAt(url: string, key: string) {
  return {
    NIGHTSHIFT_SOURCES: 'upstream',
    NIGHTSHIFT_UPSTREAM_URL: url,
    NIGHTSHIFT_UPSTREAM_KEY: key,
    NIGHTSHIFT_UPSTREAM_DEADLINE_SECONDS: '5',
  };
}

/** Creates the account `poor` with this many microcredits. Returns its key. */
async function accountWith(api: TestApi, amountMicro: bigint): Promise<string> {
  const accountId = await api.createAccount('poor');
  if (amountMicro > 0n)
    await api.app.credits.ledger.grant(accountId, [{ key: null, amountMicro, reason: 'test' }]);
  return api.createKey({ account: 'poor' });
}

/** A valid search of exactly this many bytes. */
function bodyOfBytes(bytes: number): string {
  const [head, tail] = ['{"company_domain":"nike.com","padding":"', '"}'];
  return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`;
}

function nikeWithBadBytes(): Uint8Array {
  return Buffer.from('{"company_domain":"nike.com","note":"\xff"}', 'latin1');
}

/** A request with a body of known length, or with a chunked one. */
function sendRaw(
  api: TestApi,
  { key, body, chunked }: { readonly key: string; readonly body: string; readonly chunked: boolean },
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const length = chunked ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', ...length };
    const sent = openRequest(`${api.url}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    const half = Math.floor(body.length / 2);
    if (chunked) sent.write(body.slice(0, half));
    sent.end(chunked ? body.slice(half) : body);
  });
}
