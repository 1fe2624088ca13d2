import { expect, test } from 'vitest';
import { compareShape, keyPaths } from '../../../../../src/core/sources/reply-shape.ts';

test('keyPaths merges the keys of all elements of an array', () => {
  const reply = { ads: [{ id: 1 }, { id: 2, variants: [{ size: null }] }], '7': 'x', none: null };
  expect(keyPaths(reply)).toEqual([
    '7',
    'ads',
    'ads[].id',
    'ads[].variants',
    'ads[].variants[].size',
    'none',
  ]);
  expect([null, 'text', 7, []].map(keyPaths)).toEqual([[], [], [], []]);
});

test('compareShape reports missing and new keys, except for optional ones', () => {
  const recorded = { always: ['ads', 'ads[].id'], sometimes: ['next'] };
  expect(compareShape({ ads: [{ ident: 1 }], next: 2 }, recorded)).toEqual({
    missing: ['ads[].id'],
    added: ['ads[].ident'],
  });
  expect(compareShape({ ads: [{ id: 1 }] }, recorded)).toEqual({ missing: [], added: [] });
});

test('keyPaths quotes and truncates unusual keys', () => {
  const paths = keyPaths({ '\u001b[2J\u0000': 1, 'a.b': { ['x'.repeat(100)]: 1 } });
  expect(paths).toEqual(['"\\u001b[2J\\u0000"', '"a.b"', `"a.b"."${'x'.repeat(60)}"`]);
});

test('keyPaths limits the depth of a reply', () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  expect(keyPaths(JSON.parse(deep)).length).toBeLessThan(50);
});
