import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createToken } from '../../../../src/core/accounts/token.ts';
import { newId } from '../../../../src/core/ids.ts';
import type { ApiEnv } from '../../../../src/api/http/api-env.ts';
import { createMetrics, observeRequests, withoutToken } from '../../../../src/api/http/metrics.ts';
import type { Logger } from '../../../../src/log.ts';

test.each(['/shared/reports/', '//shared//reports/', '/Shared/Reports/', '/webhooks/confirm/'])(
  'everything after %s is masked',
  (path) => {
    const token = createToken();
    for (const rest of [token, `${token}/`, `x/${token}`, token.slice(1), '%2e%2e/x', 'a\nb'])
      expect(withoutToken(path + rest)).toBe(`${path}…`);
  },
);

test('a token is masked in every other path, and ids stay', () => {
  for (let n = 0; n < 50; n += 1) {
    const masked = withoutToken(`/reports/${createToken()}/x`);
    expect(masked).toBe('/reports/…/x');
  }
  const path = `/v1/batches/${newId('bat', 1)}/report-links`;
  expect(withoutToken(path)).toBe(path);
  expect(withoutToken('/shared/reports')).toBe('/shared/reports');
});

test('the log of requests contains no token of a link', async () => {
  const lines: object[] = [];
  const log = { info: (line: object) => lines.push(line) } as unknown as Logger;
  const away = () => Promise.reject(new Error('There are no services here.'));
  const metrics = createMetrics(away, {
    countBackends: () => ({ canceled: 0, terminated: 0, outliving: 0 }),
    countReadings: () => null,
  });
  const http = new Hono<ApiEnv>();
  http.use(observeRequests(metrics, log));
  http.get('/shared/reports/:token', (c) => c.text('here'));
  const token = createToken();
  for (const path of [
    `/shared/reports/${token}`,
    `/shared/reports/${token}/more`,
    `/share/${token}?a=${token}`,
  ])
    await http.request(`http://127.0.0.1${path}`);
  expect(lines).toHaveLength(3);
  expect(lines).toMatchObject([
    { path: '/shared/reports/…' },
    { path: '/shared/reports/…' },
    { path: '/share/…' },
  ]);
  expect(JSON.stringify(lines)).not.toContain(token);
});
