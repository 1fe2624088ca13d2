import { expect, test } from 'vitest';
import { ownMappingOf } from '../../../../../src/sources/mapped/own-mapping.ts';
import { readFileSync } from 'node:fs';
import { parseSourceMap } from '../../../../../src/sources/mapped/read-map.ts';

const google = 'AR00000000000000000001';
const meta = '153080620724';
const file = new URL('../../../../../examples/sources/searchapi.json', import.meta.url);
const text = readFileSync(file, 'utf8');

/** Remaining ids of a mapping to all of these, for a map with this pattern. */
function idsLeft(pattern: string | null, ...ids: readonly string[]) {
  const stated = pattern === null ? '' : `"id_pattern": ${JSON.stringify(pattern)},`;
  const map = parseSourceMap(text.replace('"id_pattern": "AR[0-9]{20}",', stated), 'map.json');
  const mapping = ids.map((advertiserId) => ({ advertiserId, role: 'allow' }) as const);
  return ownMappingOf(map)(mapping).map(({ advertiserId }) => advertiserId);
}

test('a source map with an id pattern uses only matching ids', () => {
  expect(idsLeft('AR[0-9]{20}', google, meta)).toEqual([google]);
  expect(idsLeft('[0-9]+', google, meta)).toEqual([meta]);
  expect(idsLeft('[0-9]+', google)).toEqual([]);
  expect(idsLeft('[0-9]|x', meta, 'x')).toEqual(['x']);
});

test('a source map without an id pattern prefers ids that are not those of Google', () => {
  expect(idsLeft(null, google, meta)).toEqual([meta]);
  expect(idsLeft(null, google)).toEqual([google]);
  expect(idsLeft(null)).toEqual([]);
});

test('an invalid id pattern is rejected with its path', () => {
  expect(() => idsLeft('(')).toThrow(/requests\.mapping\.id_pattern: expected a regular expression/);
});
