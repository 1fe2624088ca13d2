import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSourceMap } from '../../../../../src/sources/mapped/read-map.ts';
import { evaluateBy } from '../../../../../src/sources/mapped/errors.ts';
import { readSuggestions } from '../../../../../src/sources/mapped/wire-suggestions.ts';
import { readPage } from '../../../../../src/sources/mapped/wire.ts';
import { EnrichError, SourceUnreadable } from '../../../../../src/core/errors.ts';

const suggestions = {
  advertisers: { path: 'who', id: 'id', name: 'name' },
  domains: { path: 'sites', domain: '$' },
};
const raw = {
  label: 'Vendor',
  base_url: 'https://api.example.com',
  requests: {
    domain: { method: 'GET', path: '/ads', query: { d: '{domain}', p: '{page_token}' } },
    name: { method: 'GET', path: '/names', query: { q: '{name}' }, suggestions },
  },
  reply: {
    ads: 'data.ads',
    none: [
      [{ path: 'data.ads', is: 'empty' }],
      [{ path: 'data.total', equals: 0 }],
      [{ path: 'error', contains: 'No results' }],
    ],
    next_page: 'data.next',
    total: 'data.total',
    other_keys: ['status'],
  },
  errors: [
    { when: { path: 'status', contains: 'slow' }, means: 'slow_down' },
    {
      when: { path: 'error', is: 'present' },
      unless: { path: 'error', contains: 'No results' },
      means: 'out_of_credits',
    },
  ],
  ad: {
    advertiser_id: 'by.id',
    creative_id: 'id',
    advertiser_name: 'by.name',
    start: { path: 'from', form: 'epoch_seconds' },
    last_seen: { path: 'to', form: 'day' },
    image: { tag: 'html' },
    usual: ['image'],
    other_keys: ['rank'],
  },
  price: { unit: 'call', per_call: 1 },
};
const map = parseSourceMap(JSON.stringify(raw), 'map.json');
const parsedSuggestions = map.requests.name?.suggestions ?? fail();
const read = (reply: unknown) => readPage(JSON.stringify(reply), map, { isFirst: true });

const digits = fc.stringMatching(/^\d{20}$/);
const row = fc.record({
  by: digits.map((n) => ({ id: `AR${n}`, name: 'Nike, Inc.' })),
  id: digits.map((n) => `CR${n}`),
  from: fc.oneof(
    fc.integer({ min: 0, max: 1_700_000_000 }),
    fc.integer({ min: 0, max: 1_700_000_000 }).map(String),
  ),
  to: fc
    .integer({ min: 1_700_000_000, max: 1_800_000_000 })
    .map((at) => new Date(at * 1000).toISOString().slice(0, 10)),
  html: fc.constantFrom('<img src="https://tpc.example/1" height="219" width="380">', null),
});
const [sample] = fc.sample(row, 1);

describe('a page of a mapped source', () => {
  test('has complete ids, the original order, and the first day before the last', () => {
    fc.assert(
      fc.property(fc.uniqueArray(row, { minLength: 1, selector: ({ id }) => id }), (rows) => {
        const { ads } = read({ data: { ads: rows, total: rows.length } });
        expect(ads.map((ad) => [ad.advertiserId, ad.creativeId])).toEqual(
          rows.map(({ by, id }) => [`google:${by.id}`, `google:${id}`]),
        );
        for (const { creativeId, start, lastSeen } of ads) {
          expect(creativeId).toHaveLength('google:'.length + 22);
          expect((start ?? '') <= (lastSeen ?? '')).toBe(true);
        }
      }),
    );
  });

  test('is parsed or unreadable for any JSON or text', () => {
    const almost = fc.jsonValue().map((ads) => ({ data: { ads } }));
    const rows = fc.array(fc.oneof(row, fc.jsonValue())).map((ads) => ({ data: { ads } }));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.oneof(almost, rows).map((each) => JSON.stringify(each)),
        ),
        (reply) => {
          for (const attempt of [
            () => readPage(reply, map, { isFirst: true }),
            () => readSuggestions(reply, map, parsedSuggestions),
          ])
            expect(outcomeOf(attempt)).toBe('read or unreadable');
          const evaluated = evaluateBy(map)({ status: 200, text: reply });
          expect(evaluated === null || evaluated instanceof EnrichError).toBe(true);
        },
      ),
    );
  });

  test('keeps an image element unchanged, with its size', () => {
    const html = '<img width=\'380\' src="https://tpc.example/1" HEIGHT=219 alt="">';
    expect(read({ data: { ads: [{ ...sample, html }] } }).ads[0]?.variants).toEqual([
      { content: html, height: 219, width: 380 },
    ]);
  });

  test('treats blank text as missing, and rejects markup without an image and invalid URLs', () => {
    const asImage = {
      ...raw,
      platform: 'meta',
      ad: { ...raw.ad, link: 'href', image: { url: 'src' }, usual: [] },
    };
    const withUrl = parseSourceMap(JSON.stringify(asImage), 'map.json');
    const readAd = (fields: object) =>
      readPage(JSON.stringify({ data: { ads: [{ ...sample, ...fields }] } }), withUrl, { isFirst: true });
    const id = 'x';
    expect(readAd({ id, src: ' ', href: '' }).ads).toMatchObject([{ variants: [], originalUrl: null }]);
    expect(readAd({ id, src: null, href: 'https://a.example/1' }).ads).toMatchObject([
      { variants: [], originalUrl: 'https://a.example/1' },
    ]);
    for (const address of ['simgad/1', 'javascript:alert(1)', '//a.example/1']) {
      expect(() => readAd({ id, src: address, href: null })).toThrow(SourceUnreadable);
      expect(() => readAd({ id, src: null, href: address })).toThrow(SourceUnreadable);
    }
    expect(read({ data: { ads: [{ ...sample, html: ' ' }] } }).ads[0]?.variants).toEqual([]);
    expect(() => read({ data: { ads: [{ ...sample, html: '<iframe src="x">' }] } })).toThrow(
      SourceUnreadable,
    );
  });

  test('is empty only if it meets a condition for no ads', () => {
    const none = { ads: [], next: null };
    expect(read({ data: { ads: [] } })).toMatchObject(none);
    expect(read({ data: { total: 0 } })).toMatchObject(none);
    for (const reply of [{}, { data: {} }, { data: { ads: null } }, { data: { ads: {} } }, { data: [] }, []])
      expect(() => read(reply)).toThrow(SourceUnreadable);
  });

  test('is unreadable if it contradicts itself or if an unknown key replaces the ads', () => {
    expect(() => read({ data: { ads: [], total: 40 } })).toThrow('data.total counts ads, and there are none');
    const afterLastPage = JSON.stringify({ data: { ads: [], total: 40 } });
    expect(readPage(afterLastPage, map, { isFirst: false })).toMatchObject({ ads: [], next: null });
    expect(() => read({ data: { ads: [sample], total: 0 } })).toThrow(
      /has ads, and it says that there are none/,
    );
    expect(() => read({ data: { items: [sample], total: 0 } })).toThrow(
      /no row has the key ads, and some have "items"/,
    );
  });

  test('reports the first invalid field', () => {
    expect(() => read({ data: { ads: [sample, { ...sample, to: 'yesterday' }] } })).toThrow(
      /ads\[1\]\.last_seen: /,
    );
    expect(() => read({ data: { ads: [{ ...sample, id: 123 }] } })).toThrow(/ads\[0\]\.creative_id: /);
  });

  test('is unreadable if no ad has a usual key and some have an unknown one', () => {
    const bare = { by: sample?.by, id: sample?.id, from: sample?.from, to: sample?.to };
    expect(read({ data: { ads: [bare] } }).ads[0]?.variants).toEqual([]);
    expect(
      read({ data: { ads: [sample, { ...bare, id: 'CR00000000000000000002', markup: 'x' }] } }).ads,
    ).toHaveLength(2);
    expect(() => read({ data: { ads: [{ ...bare, markup: 'x' }] } })).toThrow(/html/);
    expect(read({ data: { ads: [{ ...bare, rank: 1 }] } }).ads).toHaveLength(1);
  });

  test('has the token of the next page and the total number of ads', () => {
    expect(read({ data: { ads: [sample], next: 'CgoA=', total: '4000' } })).toMatchObject({
      next: 'CgoA=',
      estimate: { low: 4000, high: 4000 },
    });
    for (const last of [{}, { next: null }, { next: '' }])
      expect(read({ data: { ads: [sample], ...last } }).next).toBeNull();
    expect(() => read({ data: { ads: [sample], follows: 'CgoA=' } })).toThrow(/next/);
  });
});

test('an id of a page keeps all of its digits, as a number as well', () => {
  const ids = parseSourceMap(
    JSON.stringify({
      ...raw,
      platform: 'paged',
      ad: { advertiser_id: 'by', creative_id: { path: 'id', as: 'text' } },
    }),
    'map.json',
  );
  const page = (id: string) => `{"data":{"ads":[{"by":"a \\" 1234567890123456789","id":${id}}]}}`;
  for (const id of ['7123456789012345678', '12345', '"7123456789012345679"'])
    expect(readPage(page(id), ids, { isFirst: true }).ads).toMatchObject([
      { advertiserId: 'paged:a " 1234567890123456789', creativeId: `paged:${id.replaceAll('"', '')}` },
    ]);
  for (const id of ['1.5', '1e30', 'true'])
    expect(() => readPage(page(id), ids, { isFirst: true })).toThrow(/creative_id/);
});

describe('an error in a reply with a success status', () => {
  const evaluate = (value: unknown, status = 200) => evaluateBy(map)({ status, text: JSON.stringify(value) });

  test('has the meaning of the first matching condition', () => {
    expect(evaluate({ status: 'too fast, slow down', error: 'x' })).toMatchObject({
      code: 'source_throttled',
    });
    expect(evaluate({ error: 'no credits' })).toMatchObject({ code: 'source_refused', status: 402 });
    expect(evaluate({ error: '' })).toBeNull();
    expect(evaluate({ error: 'x' }, 429)).toBeNull();
  });

  test('is never parsed as an answer', () => {
    expect(() => read({ error: 'x', data: { ads: [] } })).toThrow(SourceUnreadable);
  });

  test('is an empty page if it is excluded from the errors and meets a condition for no ads', () => {
    const reply = { error: 'No results for you.' };
    expect(evaluate(reply)).toBeNull();
    expect(read(reply)).toMatchObject({ ads: [], next: null });
  });

  test('is not quoted, because it may contain the key', () => {
    expect(evaluate({ error: 'bad key hunter2' })?.message).not.toContain('hunter2');
  });
});

function outcomeOf(attempt: () => unknown): string {
  try {
    attempt();
    return 'read or unreadable';
  } catch (error) {
    return error instanceof SourceUnreadable ? 'read or unreadable' : String(error);
  }
}

function fail(): never {
  throw new Error('the map has no search for names');
}
