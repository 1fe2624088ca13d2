import { expect, test } from 'vitest';
import { compareShape, keyPaths } from '../../../../../src/core/sources/reply-shape.ts';

test('the keys of all elements of a list count as those of one', () => {
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

test('a key that is missing and one that is new are told; those that only some replies have are neither', () => {
  const recorded = { always: ['ads', 'ads[].id'], sometimes: ['next'] };
  expect(compareShape({ ads: [{ ident: 1 }], next: 2 }, recorded)).toEqual({
    missing: ['ads[].id'],
    added: ['ads[].ident'],
  });
  expect(compareShape({ ads: [{ id: 1 }] }, recorded)).toEqual({ missing: [], added: [] });
});

test('a foreign key is quoted and cut, so that it can be shown and stored', () => {
  const paths = keyPaths({ '\u001b[2J\u0000': 1, 'a.b': { ['x'.repeat(100)]: 1 } });
  expect(paths).toEqual(['"\\u001b[2J\\u0000"', '"a.b"', `"a.b"."${'x'.repeat(60)}"`]);
});

test('a reply of any depth is read to a depth that no recorded one has', () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  expect(keyPaths(JSON.parse(deep)).length).toBeLessThan(50);
});
