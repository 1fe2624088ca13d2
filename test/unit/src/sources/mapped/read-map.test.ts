import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSourceMap, readSourceMap } from '../../../../../src/sources/mapped/read-map.ts';
import { Misconfigured } from '../../../../../src/core/errors.ts';

const request = { method: 'GET', path: '/ads', query: { domain: '{domain}' } };
const good = {
  label: 'Vendor',
  base_url: 'https://api.example.com',
  requests: { domain: request },
  reply: { ads: 'ads', none: [[{ path: 'ads', is: 'empty' }]] },
  ad: { advertiser_id: 'advertiser', creative_id: 'creative' },
  price: { unit: 'call', per_call: 1 },
};

/** Error of a map; '' without one. */
function complaint(map: unknown): string {
  try {
    parseSourceMap(typeof map === 'string' ? map : JSON.stringify(map), '/etc/vendor.json');
  } catch (error) {
    if (error instanceof Misconfigured) return error.message;
    throw error;
  }
  return '';
}

const requests = (domain: object, others: object = {}) => ({
  ...good,
  requests: { domain: { ...request, ...domain }, ...others },
});

test('a map that says enough is read', () => {
  expect(complaint(good)).toBe('');
});

test.each(['searchapi', 'scrapecreators', 'apify'])('the example %s is read', async (name) => {
  const file = join(import.meta.dirname, '../../../../../examples/sources', `${name}.json`);
  expect((await readSourceMap(file)).label.toLowerCase()).toBe(name);
});

describe('a map is refused, by file and place,', () => {
  test.each<[string, unknown, RegExp]>([
    ['that is not JSON', '{"label": hunter2}', /is not JSON/],
    ['without a path to the ads', { ...good, reply: { none: good.reply.none } }, /reply\.ads: /],
    ['that does not say what none looks like', { ...good, reply: { ads: 'ads' } }, /reply\.none: /],
    ['for which anything is none', { ...good, reply: { ads: 'ads', none: [[]] } }, /reply\.none\.0: /],
    ['without the identity of an ad', { ...good, ad: { advertiser_id: 'a' } }, /ad\.creative_id: /],
    ['with a key that it does not have', { ...good, replies: {} }, /replies/],
    [
      'with a path that is none',
      { ...good, reply: { ...good.reply, ads: 'a..b' } },
      /reply\.ads: expected a path such as/,
    ],
    [
      'with a condition that says nothing',
      { ...good, errors: [{ when: { path: 'error' } }] },
      /errors\.0\.when: expected a path and one of/,
    ],
    [
      'with a user in its address',
      { ...good, base_url: 'https://hunter2@example.com' },
      /base_url: expected http/,
    ],
    ['with a key in its address', { ...good, base_url: 'https://example.com/?key=hunter2' }, /base_url: /],
    [
      'with a request that asks the same of all',
      requests({ query: {} }),
      /requests\.domain: needs the placeholder \{domain\}/,
    ],
    [
      'with a placeholder that does not exist',
      requests({ query: { d: '{domain}', k: '{key}' } }),
      /requests\.domain: has the placeholder \{key\}/,
    ],
    [
      'with one that has no value there',
      requests({ query: { d: '{domain}', n: '{name}' } }),
      /\{name\}, which has no value/,
    ],
    [
      'with its key in the path',
      requests({ path: '/{secret}/ads' }),
      /requests\.domain\.path: must not have \{secret\}/,
    ],
    [
      'with a region in the path',
      requests({ path: '/{region}/ads' }),
      /requests\.domain\.path: must not have \{region\}/,
    ],
    [
      'with a name in a header',
      requests({ headers: { 'x-domain': '{domain}' } }),
      /headers\.x-domain: may have the placeholder \{secret\} only/,
    ],
    ['with a body in a GET', requests({ json: {} }), /requests\.domain\.json: is sent with POST only/],
    [
      'with pages that nothing asks for',
      { ...good, reply: { ...good.reply, next_page: 'next' } },
      /needs the placeholder \{page_token\}/,
    ],
    [
      'that asks for pages it cannot know of',
      requests({ query: { d: '{domain}', p: '{page_token}' } }),
      /reply\.next_page does not say/,
    ],
    [
      'with a price that nobody can foresee',
      { ...good, price: { ...good.price, per_ad: 1 } },
      /needs the placeholder \{ads_max\}/,
    ],
    [
      'with a search for names alone',
      {
        ...good,
        requests: {
          name: {
            ...request,
            query: { q: '{name}' },
            suggestions: { advertisers: { path: 'a', id: 'i', name: 'n' } },
          },
        },
      },
      /requests: needs domain, mapping or both/,
    ],
    [
      'with a usual field that it does not read',
      { ...good, ad: { ...good.ad, usual: ['image'] } },
      /ad\.usual: names image/,
    ],
  ])('%s', (_, map, message) => {
    const reported = complaint(map);
    expect(reported).toContain('/etc/vendor.json');
    expect(reported).toMatch(message);
    expect(reported).not.toContain('hunter2');
  });

  test('with a few of many mistakes at once', () => {
    expect(complaint({ ...good, a: 1, label: '', base_url: '', ad: {}, price: {}, reply: {} })).toMatch(
      /; and \d+ more\. Mend/,
    );
  });

  test('that is not there, with the setting that names it', async () => {
    await expect(readSourceMap('/nowhere/map.json')).rejects.toThrow(/ENOENT.*NIGHTSHIFT_MAPPED_FILE/);
  });
});
