import { describe, expect, test } from 'vitest';
import type { AccountLimits } from '../../../src/core/accounts/account-limits.ts';
import { codesOf, useTestApi, type ProblemBody } from '../../support/api/test-api.ts';

const api = useTestApi();
const by = { actor: 'test', address: null };

async function limitedAccount(name: string, limits: Partial<AccountLimits>): Promise<string> {
  await api().createAccount(name, 10n);
  await api().app.accounts.service.setLimits(name, limits, by);
  return api().createKey({ account: name });
}

function upload(key: string, names: readonly string[], query = '') {
  const body = `website\n${names.join('\n')}\n`;
  const headers = { 'Content-Type': 'text/csv' };
  return api().call('POST', `/v1/batches${query}`, { key, headers, body });
}

function companies(count: number, prefix = 'company'): readonly string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}.com`);
}

function titleOf(answer: { readonly json: () => unknown }): string {
  return (answer.json() as ProblemBody).errors[0]?.title ?? '';
}

describe('limit of open lookups of an account', () => {
  test('rejects a batch above the limit, stores nothing of it, and does not affect other accounts', async () => {
    const key = await limitedAccount('small', { openLookups: 5 });
    expect((await upload(key, companies(4))).status).toBe(201);
    const before = await api().countRows();
    const refused = await upload(key, companies(2, 'more'));
    expect([refused.status, codesOf(refused)]).toEqual([429, ['rate_limit_exceeded']]);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(titleOf(refused)).toContain(
      'may have 5 unfinished companies and addresses at a time, and would have 6',
    );
    expect(await api().countRows()).toEqual(before);
    expect((await upload(key, companies(1, 'last'))).status).toBe(201);
    // Rejected before the file is read, because the account is at its limit.
    expect((await upload(key, ['x.com'])).status).toBe(429);
    const other = await limitedAccount('large', {});
    expect((await upload(other, companies(7))).status).toBe(201);
    await api().app.accounts.service.setLimits('small', { openLookups: null }, by);
    expect((await upload(key, companies(7, 'lifted'))).status).toBe(201);
  });

  test('holds for batches that are submitted concurrently', async () => {
    const key = await limitedAccount('at-once', { openLookups: 10 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => upload(key, companies(3, `list-${n}`))),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(8 - taken.length);
    expect(taken).toHaveLength(3);
    expect(await api().app.accounts.service.read('at-once')).toMatchObject({ openLookups: 9 });
  });
});

describe('limit of rows per batch', () => {
  test('rejects a longer file with 413 as a batch, as a dry run and for a schedule', async () => {
    const key = await limitedAccount('short', { rowsPerBatch: 3 });
    const before = await api().countRows();
    for (const query of ['', '?dry_run=true']) {
      const refused = await upload(key, companies(4), query);
      expect([refused.status, codesOf(refused)]).toEqual([413, ['payload_too_large']]);
      expect(titleOf(refused)).toContain('more than 3 data rows');
    }
    const rows = (count: number) => companies(count).map((name) => ({ company_domain: name }));
    const schedule = (count: number) =>
      api().call('POST', '/v1/schedules', {
        key,
        json: { name: `of ${count}`, cron: '0 2 * * *', rows: rows(count) },
      });
    expect((await schedule(4)).status).toBe(413);
    expect(await api().countRows()).toEqual(before);
    const added = await schedule(3);
    expect(added.status).toBe(201);
    expect((await upload(key, companies(3))).status).toBe(201);

    const { id } = added.json() as { id: string };
    const changed = await api().call('PATCH', `/v1/schedules/${id}`, { key, json: { rows: rows(4) } });
    expect(changed.status).toBe(413);
  });

  test('keeps a scan of a schedule with a longer file waiting, and gives the reason', async () => {
    const key = await limitedAccount('later', {});
    const rows = companies(3).map((name) => ({ company_domain: name }));
    const added = await api().call('POST', '/v1/schedules', {
      key,
      json: { name: 'long', cron: '0 2 * * *', rows },
    });
    const { id } = added.json() as { id: string };
    await api().app.accounts.service.setLimits('later', { rowsPerBatch: 2 }, by);
    await api().call('POST', `/v1/schedules/${id}/run`, { key });
    await api().app.schedules.fire(id);
    const read = async () => {
      const answer = await api().call('GET', `/v1/schedules/${id}/scans`, { key });
      return (answer.json() as { scans: object[] }).scans[0];
    };
    expect(await read()).toMatchObject({
      state: 'waiting',
      reason: expect.stringMatching(/it cannot start: .*more than 2 data rows/) as string,
    });
    await api().app.accounts.service.setLimits('later', { rowsPerBatch: null, openLookups: 2 }, by);
    await api().database.owner.pool.query('UPDATE nightshift.scans SET try_at = now()');
    await api().app.schedules.fire(id);
    expect(await read()).toMatchObject({
      state: 'waiting',
      reason: expect.stringMatching(/it cannot start: The account may have 2 unfinished companies/) as string,
    });
    expect((await api().call('GET', '/v1/batches', { key })).json()).toMatchObject({ batches: [] });
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});
