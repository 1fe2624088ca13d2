import { describe, expect, test } from 'vitest';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';

const path = '/v1/schedule-times';

describe('GET /v1/schedule-times', () => {
  const service = useTestApi();

  test('returns a description of a cron expression and its next times in the time zone', async () => {
    expect(
      await read({
        cron: ' 30  2 * * 1-5',
        time_zone: 'europe/berlin',
        count: '3',
        from: '2026-03-26T12:00:00Z',
      }),
    ).toEqual({
      cron: '30 2 * * 1-5',
      description: 'At 02:30, Monday through Friday',
      time_zone: 'Europe/Berlin',
      next: ['2026-03-27T01:30:00.000Z', '2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z'],
      next_local: ['2026-03-27T02:30:00+01:00', '2026-03-30T02:30:00+02:00', '2026-03-31T02:30:00+02:00'],
    });
  });

  test('defaults to UTC, five times and now', async () => {
    const before = Date.now();
    const { time_zone: zone, next } = await read({ cron: '* * * * *' });
    expect([zone, next.length]).toEqual(['UTC', 5]);
    expect(Date.parse(next[0] ?? '')).toBeGreaterThan(before);
    expect(Date.parse(next[0] ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test('equals the description and times of a schedule with that expression', async () => {
    const key = await service().createKey();
    const terms = { cron: '0 6 1 * *', time_zone: 'Asia/Kolkata' };
    const rows = [{ company_domain: 'nike.com' }];
    const made = await service().call('POST', '/v1/schedules', {
      key,
      json: { name: 'monthly', ...terms, rows },
    });
    const { description, next_local: local } = made.json() as { description: string; next_local: unknown };
    expect(await read(terms)).toMatchObject({ description, next_local: local });
  });

  test.each([
    ['cron=', 'cron'],
    ['', 'cron'],
    ['cron=0 2 * *', 'cron'],
    ['cron=0 0 31 2 *', 'cron'],
    ['cron=61 2 * * *', 'cron'],
    ['cron=0 2 * * *&time_zone=Mars/Base', 'time_zone'],
    ['cron=0 2 * * *&count=0', 'count'],
    ['cron=0 2 * * *&count=101', 'count'],
    ['cron=0 2 * * *&from=yesterday', 'from'],
    ['cron=0 2 * * *&days=1', 'days'],
  ])('returns 400 with the parameter for ?%s: %s', async (query, field) => {
    const key = await service().createKey();
    const answer = await service().call('GET', `${path}?${encodeURI(query)}`, { key });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain(field);
  });

  test('requires the scope batches:read', async () => {
    const query = `${path}?cron=${encodeURIComponent('0 2 * * *')}`;
    const key = await service().createKey({ scopes: ['batches:write', 'credits:read', 'admin'] });
    expect((await service().call('GET', query, { key })).status).toBe(403);
    expect((await service().call('GET', query)).status).toBe(401);
  });

  async function read(query: Readonly<Record<string, string>>): Promise<Times> {
    const key = await service().createKey();
    const answer = await service().call('GET', `${path}?${new URLSearchParams(query).toString()}`, { key });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.json() as Times;
  }
});

interface Times {
  readonly time_zone: string;
  readonly next: readonly string[];
}
