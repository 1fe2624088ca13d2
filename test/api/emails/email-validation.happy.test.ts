import { describe, expect, test } from 'vitest';
import { useTestApi } from '../../support/api/test-api.ts';

const path = '/v1/people/email-validation';

interface Body {
  readonly email: string;
  readonly email_status: string;
  readonly recommendation: string;
  readonly normalized_email: string | null;
  readonly credits_consumed: number;
  readonly message: string;
}

describe('POST /v1/people/email-validation', () => {
  const api = useTestApi();

  async function validate(email: string, headers: Readonly<Record<string, string>> = {}) {
    const key = await api().createKey();
    const answer = await api().call('POST', path, { key, json: { email }, headers });
    return { answer, body: answer.json() as Body };
  }

  test('§4.2 a well-formed address returns 200 with a verdict and a message in JSON', async () => {
    const { answer, body } = await validate('jane@example.com');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(body.email).toBe('jane@example.com');
    expect(body.message).toMatch(/\S/);
  });

  test('our choice: an address that was not probed is not valid', async () => {
    const { body } = await validate('jane@example.com');
    expect([body.email_status, body.recommendation]).toEqual(['unknown', 'review']);
  });

  test('our choice: the answer has the address as sent and normalised, with the domain in lower case', async () => {
    const { body } = await validate('Jane.Doe@Example.COM');
    expect(body).toMatchObject({
      email: 'Jane.Doe@Example.COM',
      normalized_email: 'Jane.Doe@example.com',
      local_part: 'Jane.Doe',
      domain: 'example.com',
      ascii_domain: 'example.com',
      registrable_domain: 'example.com',
    });
  });

  test('our choice: an international address is accepted, with its domain in ASCII', async () => {
    const { body } = await validate('jürgen@MÜNCHEN.de');
    expect(body).toMatchObject({
      normalized_email: 'jürgen@münchen.de',
      ascii_domain: 'xn--mnchen-3ya.de',
      registrable_domain: 'xn--mnchen-3ya.de',
    });
  });

  test.each([
    '',
    ' ',
    'jane',
    'example.com',
    '@example.com',
    'jane@',
    'jane@localhost',
    'jane@example..com',
    'jane..doe@example.com',
    'jane@doe@example.com',
    'jane doe@example.com',
    'jane@127.0.0.1',
    'jane@[127.0.0.1]',
    '<jane@example.com>',
    'jane@example.com\r\nRCPT TO:<eve@example.com>',
    'ja\u0001ne@example.com',
    `${'a'.repeat(65)}@example.com`,
    `jane@${'a'.repeat(64)}.com`,
    `${'a'.repeat(40_000)}@example.com`,
  ])('our choice: a malformed address returns 200 and invalid: %j', async (email) => {
    const { answer, body } = await validate(email);
    expect(answer.status).toBe(200);
    expect(body).toMatchObject({
      email,
      email_status: 'invalid',
      recommendation: 'do_not_send',
      normalized_email: null,
      credits_consumed: 0,
    });
  });

  test('our choice: an invalid address has a stable reason code', async () => {
    const { body } = await validate('jane@localhost');
    expect(body).toMatchObject({ sub_status: 'dotless_domain' });
  });

  test('our choice: every answer has the same fields', async () => {
    const answers = await Promise.all(
      ['jane@example.com', 'jane', 'jane@x.unheard-of'].map((email) => validate(email)),
    );
    const fields = answers.map(({ body }) => Object.keys(body).sort());
    expect(new Set(fields.map((names) => names.join())).size).toBe(1);
  });

  test('our choice: validation is free until an operator sets a price', async () => {
    const before = { balance: await api().balance(), rows: await api().countRows() };
    const { answer, body } = await validate('jane@example.com');
    expect(body.credits_consumed).toBe(0);
    expect(answer.text).toContain('"credits_consumed":0');
    const after = await api().countRows();
    expect(await api().balance()).toEqual(before.balance);
    expect(after['ledger_entries']).toBe(before.rows['ledger_entries']);
  });

  test('our choice: an account without credits gets an answer', async () => {
    await api().createAccount('poor');
    const key = await api().createKey({ account: 'poor' });
    const answer = await api().call('POST', path, { key, json: { email: 'jane@example.com' } });
    expect(answer.status).toBe(200);
  });

  test('our choice: unknown fields are ignored', async () => {
    const json = { email: 'jane@example.com', verify: true };
    const answer = await api().call('POST', path, { key: await api().createKey(), json });
    expect(answer.status).toBe(200);
  });

  test('our choice: the same Idempotency-Key returns the same bytes', async () => {
    const headers = { 'Idempotency-Key': 'validate-jane' };
    const first = await validate('jane@example.com', headers);
    const second = await validate('jane@example.com', headers);
    expect(second.answer.text).toBe(first.answer.text);
    expect(first.answer.headers.get('idempotency-replayed')).toBeNull();
    expect(second.answer.headers.get('idempotency-replayed')).toBe('true');
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});
