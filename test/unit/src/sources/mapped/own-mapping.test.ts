import { expect, test } from 'vitest';
import { ownMappingOf } from '../../../../../src/sources/mapped/own-mapping.ts';
import { readFileSync } from 'node:fs';
import { parseSourceMap } from '../../../../../src/sources/mapped/read-map.ts';

const google = 'google:AR00000000000000000001';
const meta = 'meta:153080620724';
const file = new URL('../../../../../examples/sources/searchapi.json', import.meta.url);
const text = readFileSync(file, 'utf8');

/** Remaining ids of a mapping to all of these, for a map of this platform with this pattern. */
function idsLeft(
  { platform, pattern }: { readonly platform?: string; readonly pattern?: string },
  ...ids: readonly string[]
) {
  const stated = pattern === undefined ? '' : `"id_pattern": ${JSON.stringify(pattern)},`;
  const prefix = platform === undefined ? '{' : `{ "platform": ${JSON.stringify(platform)},`;
  const map = text.replace('"id_pattern": "AR[0-9]{20}",', stated).replace('{', prefix);
  const mapping = ids.map((advertiserId) => ({ advertiserId, role: 'allow' }) as const);
  return ownMappingOf(parseSourceMap(map, 'map.json'))(mapping).map(({ advertiserId }) => advertiserId);
}

test('a source map uses only ids of its platform, which is google by default', () => {
  expect(idsLeft({}, google, meta)).toEqual([google]);
  expect(idsLeft({}, meta)).toEqual([]);
  expect(idsLeft({ platform: 'meta' }, google, meta)).toEqual([meta]);
  expect(idsLeft({ platform: 'meta' }, google)).toEqual([]);
  expect(idsLeft({ platform: 'meta' })).toEqual([]);
});

test('a source map with an id pattern uses only matching ids of its platform', () => {
  expect(idsLeft({ pattern: 'AR[0-9]{20}' }, google, meta)).toEqual([google]);
  expect(idsLeft({ platform: 'meta', pattern: '[0-9]+' }, google, meta)).toEqual([meta]);
  expect(idsLeft({ pattern: '[0-9]+' }, google, meta)).toEqual([]);
  expect(idsLeft({ platform: 'meta', pattern: '[0-9]|x' }, meta, 'meta:x')).toEqual(['meta:x']);
});

test('an invalid id pattern or platform is rejected with its path', () => {
  expect(() => idsLeft({ pattern: '(' })).toThrow(
    /requests\.mapping\.id_pattern: expected a regular expression/,
  );
  expect(() => idsLeft({ platform: 'Meta Ads' })).toThrow(/platform: expected a word in lower case/);
});
