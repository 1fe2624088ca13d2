import { beforeAll, describe, expect, test } from 'vitest';
import { makeBatchReport } from '../../../src/reporter/documents/make-report.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import { buildFixture, type Fixture } from '../../support/db/fixture.ts';

describe('GET /v1/batches/{id}/report', () => {
  const api = useTestApi();
  let fixture: Fixture;
  let key: string;
  let path: string;

  beforeAll(async () => {
    fixture = await buildFixture(api().database.app);
    key = await api().createKey();
    path = `/v1/batches/${fixture.finished.publicId}/report`;
  });

  test.each([
    { query: '', format: 'html' as const, withPictures: false, type: 'text/html; charset=utf-8' },
    { query: '?images=true', format: 'html' as const, withPictures: true, type: 'text/html; charset=utf-8' },
    { query: '?format=md', format: 'md' as const, withPictures: false, type: 'text/markdown; charset=utf-8' },
  ])('$query returns the report of the command line as a download', async ({ query, type, ...wanted }) => {
    const { status, headers, text } = await api().call('GET', path + query, { key });
    expect(status).toBe(200);
    const {
      batches: { reportData },
      accounts: { defaultId: accountId },
    } = api().app;
    const made = await makeBatchReport(reportData, fixture.finished.publicId, { accountId, ...wanted });
    expect(text).toBe(made.text);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="[^"]+-report-\\d{4}-\\d\\d-\\d\\d\\.${wanted.format}"; `),
    );
  });

  test('has a content security policy as header, and cannot be framed', async () => {
    const { headers, text } = await api().call('GET', path, { key });
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text) ?? [];
    expect(headers.get('content-security-policy')).toBe(
      `${policy.replaceAll('&#39;', "'")}; frame-ancestors 'none'`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('has the same headers with HEAD, and no body', async () => {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => api().call(method, path, { key })));
    expect(head?.text).toBe('');
    for (const name of ['content-type', 'content-disposition', 'content-security-policy'])
      expect(head?.headers.get(name)).toBe(get?.headers.get(name));
  });

  test.each(['?format=pdf', '?images=yes', '?images', '?pictures=true'])('rejects %s', async (query) => {
    const answer = await api().call('GET', path + query, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('returns 404 for an unknown batch and for a batch of another account', async () => {
    await api().app.accounts.store.create('other');
    const other = await api().createKey({ account: 'other' });
    for (const [whose, id] of [
      [other, fixture.finished.publicId],
      [key, `bat_${'f'.repeat(32)}`],
    ] as const) {
      const answer = await api().call('GET', `/v1/batches/${id}/report`, { key: whose });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    }
  });

  test('requires the scope batches:read', async () => {
    expect((await api().call('GET', path)).status).toBe(401);
    const writing = await api().createKey({ scopes: ['batches:write'] });
    expect((await api().call('GET', path, { key: writing })).status).toBe(403);
  });
});
