import { describe, expect, test } from 'vitest';
import { movedPaths } from '../../../src/console/paths.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';

const api = useTestApi();
const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('unknown address', () => {
  test.each(['/foo', '/batches/x/y', '/operator/nothing'])(
    '%s shows a browser the console, with 404',
    async (path) => {
      const answer = await api().call('GET', path, { headers: asBrowser });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.text).toContain('<div id="console">');
    },
  );

  test.each(['/foo', '/v1/nothing', '/errors/nothing', '/assets/nothing.js'])(
    '%s returns programs the error body',
    async (path) => {
      const headers = path === '/foo' ? { Accept: '*/*' } : asBrowser;
      const answer = await api().call('GET', path, { headers });
      expect([answer.status, codesOf(answer)]).toEqual([404, ['not_found']]);
    },
  );
});

test.each(movedPaths)('%s redirects to %s', async (from, to) => {
  const [path, target] = [from, to].map((each) => each.replace(':id', 'bat_1%2F2'));
  const answer = await api().call('GET', path ?? '');
  // The client follows redirects, and the page answers.
  expect(answer.status).toBe(200);
  const first = await fetch(`${api().url}${path}`, { redirect: 'manual' });
  expect([first.status, first.headers.get('location')]).toEqual([301, target]);
});
