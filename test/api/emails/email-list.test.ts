import { beforeAll, describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/emails/syntax/address.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { readXlsx } from '../../support/reports/read-xlsx.ts';

const zone = {
  'acme.com': { MX: [[10, 'mx.acme.com']], TXT: ['v=spf1 mx -all'] },
  'mx.acme.com': { A: ['93.184.216.34'] },
} as const;

interface Listed {
  readonly email: string;
  readonly email_status: string;
}

const people = ['email', 'jane@acme.com', 'info@acme.com', 'x@gone.example-tld', 'bob@acme'].join('\n');
const header =
  'email,email_status,sub_status,reason,reasons,recommendation,verification_level,did_you_mean,is_disposable,is_privacy_relay,' +
  'is_role,is_free,is_domain_catch_all,mx_provider,mx_record,mx_security_gateway,implicit_mx,has_spf,has_dmarc,smtp_host,' +
  'smtp_code,smtp_enhanced_code,checked_at,retry_at,batch,batch_name,file_name';

describe('verdicts of an account', () => {
  const api = useTestApi({ workers: true, zone, settings: { NIGHTSHIFT_SOURCES: '' } });
  let key = '';
  let batch = '';

  beforeAll(async () => {
    key = await api().createKey();
    batch = await uploadBatch(api(), key, people);
    await waitForState(api(), key, batch, 'finished');
    const json = { email: '=cmd@acme.com' };
    expect((await api().call('POST', '/v1/people/email-validation', { key, json })).status).toBe(200);
  });

  async function read<Body>(path: string, asker = key): Promise<Body> {
    const answer = await api().call('GET', path, { key: asker });
    expect(answer.status, answer.text).toBe(200);
    return answer.json() as Body;
  }

  test('are listed with what the checks found', async () => {
    const { emails } = await read<{ readonly emails: readonly Listed[] }>(`/v1/emails?batch=${batch}`);
    expect(emails.find(({ email }) => email === 'info@acme.com')).toMatchObject({
      email_status: 'unknown',
      is_role: true,
      is_disposable: false,
      is_domain_catch_all: null,
      mx_record: 'mx.acme.com',
      implicit_mx: false,
      has_spf: true,
      has_dmarc: false,
      smtp: null,
    });
    expect(emails.find(({ email }) => email === 'bob@acme')).toMatchObject({
      mx_record: null,
      has_spf: null,
      smtp: null,
    });
  });

  test.each([
    ['', { total: 5, valid: 0, invalid: 2, unknown: 3, do_not_send: 2, review: 3 }],
    ['status=invalid', { total: 2, valid: 0, invalid: 2, unknown: 0, do_not_send: 2, review: 0 }],
    ['q=ACME.com', { total: 3, valid: 0, invalid: 0, unknown: 3, do_not_send: 0, review: 3 }],
    ['reason=role_account', { total: 1, valid: 0, invalid: 0, unknown: 1, do_not_send: 0, review: 1 }],
    ['batch=BATCH', { total: 4, valid: 0, invalid: 2, unknown: 2, do_not_send: 2, review: 2 }],
    [
      'batch=BATCH&q=acme&recommendation=review',
      { total: 2, valid: 0, invalid: 0, unknown: 2, do_not_send: 0, review: 2 },
    ],
  ])('are counted, listed and exported alike with ?%s', async (written, counts) => {
    const query = written.replace('BATCH', batch);
    const { total, valid, invalid, unknown, do_not_send, review } = counts;
    expect(await read(`/v1/emails/counts?${query}`)).toEqual({
      total,
      statuses: { valid, invalid, catch_all: 0, unknown },
      recommendations: { send: 0, review, do_not_send },
    });
    const { emails } = await read<{ readonly emails: readonly Listed[] }>(`/v1/emails?${query}`);
    expect(emails).toHaveLength(total);
    const { text } = await api().call('GET', `/v1/emails/export?${query}`, { key });
    const lines = text.trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(',')[1])).toEqual(emails.map((each) => each.email_status));
  });

  test('are exported as CSV with escaped formulas, as a download', async () => {
    const answer = await api().call('GET', '/v1/emails/export?q=acme.com', { key });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="emails-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [first, single, ...others] = answer.text.trimEnd().split('\n');
    expect(first).toBe(header);
    expect(single).toMatch(
      /^'=cmd@acme\.com,unknown,mailbox_not_probed,The mailbox was not probed: probing is off or not ready\.,mailbox_not_probed,review,domain,/,
    );
    expect(single).toMatch(/,,,$/);
    expect(others).toHaveLength(2);
    expect(others[0]).toContain(`,${batch},`);
  });

  test('are exported as JSON and as a workbook with the same cells', async () => {
    const path = `/v1/emails/export?batch=${batch}`;
    const objects = await read<readonly Readonly<Record<string, unknown>>[]>(`${path}&format=json`);
    expect(objects).toHaveLength(4);
    expect(Object.keys(objects[0] ?? {}).join(',')).toBe(header);
    const response = await fetch(`${api().url}${path}&format=xlsx`, { headers: { 'X-API-Key': key } });
    expect(response.status).toBe(200);
    const sheet = readXlsx(Buffer.from(await response.arrayBuffer()));
    expect(sheet.names.join(',')).toBe(header);
    expect(sheet.lines.map(([email]) => email)).toEqual(objects.map(({ email }) => email));
  });

  test('of more than a page are exported once each', async () => {
    await api().createAccount('many', 1n);
    const many = await api().createKey({ account: 'many' });
    const addresses = Array.from({ length: 2500 }, (_, i) => `p${i}@gone.example-tld`);
    await waitForState(
      api(),
      many,
      await uploadBatch(api(), many, ['email', ...addresses].join('\n')),
      'finished',
    );
    const { text } = await api().call('GET', '/v1/emails/export', { key: many });
    const exported = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect(exported.toSorted()).toEqual(addresses.toSorted());
    expect(await read('/v1/emails/counts', many)).toMatchObject({ total: 2500 });
  });

  test('of an erased person are neither counted nor exported', async () => {
    const other = 'gone-soon@acme.com';
    await api().call('POST', '/v1/people/email-validation', { key, json: { email: other } });
    const before = await read<{ readonly total: number }>('/v1/emails/counts');
    const parsed = parseAddress(other);
    if (parsed.kind === 'invalid') throw new Error('This is an address.');
    await api().app.lookups.erasure.erase(parsed.address);
    expect(await read('/v1/emails/counts')).toMatchObject({ total: before.total - 1 });
    expect((await api().call('GET', '/v1/emails/export', { key })).text).not.toContain('gone-soon');
  });

  test.each(['counts', 'export'])(
    '%s of another account are empty, and its batches are unknown',
    async (what) => {
      await api().createAccount(`other ${what}`);
      const other = await api().createKey({ account: `other ${what}` });
      const { status, text } = await api().call('GET', `/v1/emails/${what}`, { key: other });
      expect(status).toBe(200);
      if (what === 'export') expect(text).toBe(`${header}\n`);
      else expect(JSON.parse(text)).toMatchObject({ total: 0 });
      for (const method of ['GET', 'HEAD']) {
        const unknown = await api().call(method, `/v1/emails/${what}?batch=${batch}`, { key: other });
        expect(unknown.status).toBe(404);
      }
    },
  );

  test.each([
    'counts?limit=1',
    'counts?status=good',
    'export?after=x',
    'export?format=pdf',
    'export?reason=none',
  ])('/v1/emails/%s is a validation error', async (path) => {
    const answer = await api().call('GET', `/v1/emails/${path}`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test.each(['counts', 'export'])('%s require the scope batches:read', async (what) => {
    const scopes = ['email:validate', 'batches:write', 'credits:read', 'admin'] as const;
    const weak = await api().createKey({ scopes });
    const rejected = await api().call('GET', `/v1/emails/${what}`, { key: weak });
    expect([rejected.status, codesOf(rejected)]).toEqual([403, ['insufficient_scope']]);
    expect((await api().call('GET', `/v1/emails/${what}`)).status).toBe(401);
  });
});
