import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi, type Call, type ProblemBody } from '../../support/api/test-api.ts';

const path = '/v1/people/email-validation';
const address = 'jane.doe.4711@example.com';
const asJson = { 'Content-Type': 'application/json' };

describe('a malformed email validation request', () => {
  const api = useTestApi();

  async function validate(call: Call) {
    return api().call('POST', path, { key: await api().createKey(), ...call });
  }

  test('§7 has the error body: type, title, status, code, and the request with its time', async () => {
    const answer = await validate({ json: {} });
    expect(answer.json()).toEqual({
      errors: [
        {
          type: `${api().url}/errors/validation_error`,
          title: expect.stringContaining('email') as string,
          status: 400,
          code: 'validation_error',
        },
      ],
      meta: {
        request_id: answer.headers.get('x-request-id'),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      },
    });
  });

  test.each<readonly [string, unknown]>([
    ['no email', {}],
    ['an email under another name', { address }],
    ['an email under its name in capitals', { Email: address }],
    ['null', { email: null }],
    ['a number', { email: 7 }],
    ['a boolean', { email: true }],
    ['a list of one', { email: [address] }],
    ['an object', { email: { address } }],
  ])('§2.3 %s is a 400 with one error', async (_case, json) => {
    const answer = await validate({ json });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test.each<readonly [string, string | Uint8Array]>([
    ['an empty body', ''],
    ['null', 'null'],
    ['a text', `"${address}"`],
    ['a list', `[{"email":"${address}"}]`],
    ['an object that is cut off', `{"email":"${address}"`],
    ['bytes that are not UTF-8', Buffer.from('{"email":"j\xfcrgen@example.com"}', 'latin1')],
  ])('our choice: %s as JSON is a 400 with one error', async (_case, body) => {
    const answer = await validate({ body, headers: asJson });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'text/csv'])(
    'our choice: a body as %s is a 415',
    async (type) => {
      const answer = await validate({ body: `email=${address}`, headers: { 'Content-Type': type } });
      expect([answer.status, codesOf(answer)]).toEqual([415, ['unsupported_media_type']]);
    },
  );

  test('our choice: a body over 64 KiB is a 413', async () => {
    const answer = await validate({ json: { email: address, padding: 'x'.repeat(64 * 1024) } });
    expect([answer.status, codesOf(answer)]).toEqual([413, ['payload_too_large']]);
  });

  test.each(['GET', 'PUT', 'DELETE'])('our choice: %s is a 405 with the allowed methods', async (method) => {
    const answer = await api().call(method, path, { key: await api().createKey() });
    expect([answer.status, codesOf(answer)]).toEqual([405, ['method_not_allowed']]);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test.each<readonly [string, string, Call]>([
    ['in a list', path, { json: { email: [address] } }],
    ['as the name of a field', path, { json: { [address]: 1 } }],
    ['in JSON that is cut off', path, { body: `{"email":"${address}"`, headers: asJson }],
    ['before invalid JSON', path, { body: address, headers: asJson }],
    ['as text', path, { body: address, headers: { 'Content-Type': 'text/plain' } }],
    ['as Content-Type', path, { body: '{}', headers: { 'Content-Type': address } }],
    ['in a body that is too large', path, { json: { email: address, padding: 'x'.repeat(64 * 1024) } }],
    ['in the query, instead of the body', `${path}?email=${address}`, { json: {} }],
    ['in an unknown path', `${path}/${address}`, { json: {} }],
    ['in a path of another route', `/errors/${address}`, {}],
    [
      'as Idempotency-Key with a blank',
      path,
      { json: { email: address }, headers: { 'Idempotency-Key': `a ${address}` } },
    ],
    ['as API key', path, { key: address, json: { email: address } }],
  ])('our choice: an error does not contain the full address: %s', async (_case, at, call) => {
    const key = await api().createKey();
    for (const method of ['POST', 'DELETE']) {
      const answer = await api().call(method, at, { key, ...call });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      const seen = answer.text + JSON.stringify([...answer.headers]);
      expect(decodeURIComponent(seen.replaceAll('%', '%25'))).not.toContain(address);
      expect(seen).not.toContain('jane.doe.4711');
    }
  });

  test('our choice: an Idempotency-Key of another address is a 422 without either address', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    expect((await validate({ json: { email: address }, headers })).status).toBe(200);
    const reused = await validate({ json: { email: 'john@example.org' }, headers });
    expect([reused.status, codesOf(reused)]).toEqual([422, ['idempotency_key_reused']]);
    expect(reused.text).not.toMatch(/jane|john/);
  });

  test('two wrong fields are reported once each, and a valid field is not', async () => {
    const { errors } = (await validate({ json: { email: 7, padding: 8 } })).json() as ProblemBody;
    expect(errors).toHaveLength(1);
  });

  test('failed requests charge nothing and store nothing', async () => {
    expect(await api().countRows()).toMatchObject({ lookups: 1, batches: 0, ledger_entries: 1 });
    expect(await api().findings()).toEqual([]);
  });
});
