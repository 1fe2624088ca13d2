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
function errorOf(map: unknown): string {
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

test('a minimal source map is valid', () => {
  expect(errorOf(good)).toBe('');
});

test.each([
  ['searchapi', 'google'],
  ['scrapecreators', 'google'],
  ['apify', 'google'],
  ['meta', 'meta'],
  ['tiktok', 'tiktok'],
])('the example %s is valid, for the platform %s', async (name, platform) => {
  const file = join(import.meta.dirname, '../../../../../examples/sources', `${name}.json`);
  const { label, platform: read } = await readSourceMap(file);
  expect([label.toLowerCase().startsWith(name), read]).toEqual([true, platform]);
});

describe('a source map is rejected with its file and path', () => {
  test.each<[string, unknown, RegExp]>([
    ['that is not JSON', '{"label": hunter2}', /is not JSON/],
    ['without a path to the ads', { ...good, reply: { none: good.reply.none } }, /reply\.ads: /],
    ['without a condition for no ads', { ...good, reply: { ads: 'ads' } }, /reply\.none: /],
    [
      'with an empty condition for no ads',
      { ...good, reply: { ads: 'ads', none: [[]] } },
      /reply\.none\.0: /,
    ],
    ['without the identity of an ad', { ...good, ad: { advertiser_id: 'a' } }, /ad\.creative_id: /],
    ['with an unknown key', { ...good, replies: {} }, /replies/],
    [
      'with an invalid path',
      { ...good, reply: { ...good.reply, ads: 'a..b' } },
      /reply\.ads: expected a path such as/,
    ],
    [
      'with an incomplete condition',
      { ...good, errors: [{ when: { path: 'error' } }] },
      /errors\.0\.when: expected a path and one of/,
    ],
    [
      'with a user in its base URL',
      { ...good, base_url: 'https://hunter2@example.com' },
      /base_url: expected http/,
    ],
    ['with a key in its base URL', { ...good, base_url: 'https://example.com/?key=hunter2' }, /base_url: /],
    [
      'with a request without the placeholder of the company',
      requests({ query: {} }),
      /requests\.domain: needs the placeholder \{domain\}/,
    ],
    [
      'with an unknown placeholder',
      requests({ query: { d: '{domain}', k: '{key}' } }),
      /requests\.domain: has the placeholder \{key\}/,
    ],
    [
      'with a placeholder without a value',
      requests({ query: { d: '{domain}', n: '{name}' } }),
      /\{name\}, which has no value/,
    ],
    [
      'with the secret in the path',
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
      'with a next page that no request uses',
      { ...good, reply: { ...good.reply, next_page: 'next' } },
      /needs the placeholder \{page_token\}/,
    ],
    [
      'with a page token that no reply has',
      requests({ query: { d: '{domain}', p: '{page_token}' } }),
      /reply\.next_page does not say/,
    ],
    [
      'with a price per ad without a limit of ads',
      { ...good, price: { ...good.price, per_ad: 1 } },
      /needs the placeholder \{ads_max\}/,
    ],
    [
      'with a search by name only',
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
    ...(
      [
        ['{domain!}', /only a region can be required/],
        ['{domain:acme.com}', /only region and region_number can have a default/],
        ['x{region_list}', /\{region_list\} only alone in a text of its json/],
      ] as const
    ).map(([text, message]): [string, unknown, RegExp] => [
      `with the placeholder ${text} in its query`,
      requests({ query: { d: `{domain}${text}` } }),
      message,
    ]),
    [
      'with an error without a condition or a status',
      { ...good, errors: [{ means: 'failed' }] },
      /errors\.0\.when: needs when, status or both/,
    ],
    [
      'with a condition for a next page that it does not have',
      { ...good, reply: { ...good.reply, next_page_if: { path: 'more', equals: true } } },
      /reply\.next_page_if: needs next_page/,
    ],
    ['with an invalid platform', { ...good, platform: 'Meta!' }, /platform: /],
    [
      'with a usual field that it does not map',
      { ...good, ad: { ...good.ad, usual: ['image'] } },
      /ad\.usual: names image/,
    ],
  ])('%s', (_, map, message) => {
    const reported = errorOf(map);
    expect(reported).toContain('/etc/vendor.json');
    expect(reported).toMatch(message);
    expect(reported).not.toContain('hunter2');
  });

  test('with several mistakes at once', () => {
    expect(errorOf({ ...good, a: 1, label: '', base_url: '', ad: {}, price: {}, reply: {} })).toMatch(
      /; and \d+ more\. Fix/,
    );
  });

  test('if the file is missing, with the name of the setting', async () => {
    await expect(readSourceMap('/nowhere/map.json')).rejects.toThrow(/ENOENT.*NIGHTSHIFT_MAPPED_FILE/);
  });
});
