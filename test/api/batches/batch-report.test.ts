import { beforeAll, describe, expect, test } from 'vitest';
import { makeBatchReport } from '../../../src/reporter/documents/make-report.ts';
import { codesOf, useApiDesk } from '../../support/api/test-api.ts';
import { buildWorld, type World } from '../../support/db/fixture.ts';

describe('GET /v1/batches/{id}/report', () => {
  const desk = useApiDesk();
  let world: World;
  let key: string;
  let path: string;

  beforeAll(async () => {
    world = await buildWorld(desk().database.app);
    key = await desk().createKey();
    path = `/v1/batches/${world.finished.publicId}/report`;
  });

  test.each([
    { query: '', format: 'html' as const, withPictures: false, type: 'text/html; charset=utf-8' },
    { query: '?images=true', format: 'html' as const, withPictures: true, type: 'text/html; charset=utf-8' },
    { query: '?format=md', format: 'md' as const, withPictures: false, type: 'text/markdown; charset=utf-8' },
  ])(
    '$query is the report of the command line, to be saved as a file',
    async ({ query, type, ...wanted }) => {
      const { status, headers, text } = await desk().call('GET', path + query, { key });
      expect(status).toBe(200);
      const { reportFacts, accountId } = desk().app;
      const made = await makeBatchReport(reportFacts, world.finished.publicId, { accountId, ...wanted });
      expect(text).toBe(made.text);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="${world.finished.publicId}-report.${wanted.format}"`,
      );
    },
  );

  test('has the policy of the page as a header too, and stands in no frame', async () => {
    const { headers, text } = await desk().call('GET', path, { key });
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text) ?? [];
    expect(headers.get('content-security-policy')).toBe(
      `${policy.replaceAll('&#39;', "'")}; frame-ancestors 'none'`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('HEAD has the same headers and no body', async () => {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => desk().call(method, path, { key })),
    );
    expect(head?.text).toBe('');
    for (const name of ['content-type', 'content-disposition', 'content-security-policy'])
      expect(head?.headers.get(name)).toBe(get?.headers.get(name));
  });

  test.each(['?format=pdf', '?images=yes', '?images', '?pictures=true'])('%s is refused', async (query) => {
    const answer = await desk().call('GET', path + query, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
  });

  test('of a batch of another account, or of none, is 404', async () => {
    await desk().app.accounts.create('other');
    const other = await desk().createKey({ account: 'other' });
    for (const [whose, id] of [
      [other, world.finished.publicId],
      [key, `bat_${'f'.repeat(32)}`],
    ] as const) {
      const answer = await desk().call('GET', `/v1/batches/${id}/report`, { key: whose });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    }
  });

  test('wants a key that may read batches', async () => {
    expect((await desk().call('GET', path)).status).toBe(401);
    const writing = await desk().createKey({ scopes: ['batches:write'] });
    expect((await desk().call('GET', path, { key: writing })).status).toBe(403);
  });
});
