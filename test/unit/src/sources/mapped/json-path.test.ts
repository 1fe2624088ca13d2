import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonPath, valueAt } from '../../../../../src/sources/mapped/json-path.ts';

const at = (path: string, value: unknown) => valueAt(value, jsonPath.parse(path));

describe('a JSON path', () => {
  test.each([
    ['$', { a: 1 }, { a: 1 }],
    ['a', { a: 1 }, 1],
    ['a.b', { a: { b: [] } }, []],
    ['3.3.2', { 3: { 3: { 2: '<img>' } } }, '<img>'],
    ['a[1]', { a: ['x', 'y'] }, 'y'],
    ['$[0].error', [{ error: 'x' }], 'x'],
    ['pages[].ads', { pages: [{ ads: [1, 2] }, { ads: [3] }] }, [1, 2, 3]],
    ['a[].b', { a: [{ b: 1 }, {}] }, [1, undefined]],
  ])('finds an existing value: %s', (path, value, found) => {
    expect(at(path, value)).toEqual(found);
  });

  test.each([
    ['b', { a: 1 }],
    ['a.b', { a: 1 }],
    ['a.b', { a: 'text' }],
    ['a.length', { a: [1] }],
    ['a[].b', { a: { b: 1 } }],
    ['a[3]', { a: [1] }],
    ['constructor', {}],
    ['a.__proto__', { a: {} }],
  ])('is undefined for a missing value: %s', (path, value) => {
    expect(at(path, value)).toBeUndefined();
  });

  test('is null if a parent is null', () => {
    expect(at('image.link', { image: null })).toBeNull();
    expect(at('image.link', { image: {} })).toBeUndefined();
  });

  test.each(['', '.', 'a.', '.a', 'a..b', 'a[', 'a[x]', '[0]', 'a]b'])('does not include %j', (text) => {
    expect(jsonPath.safeParse(text).success).toBe(false);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('$', 'a', 'a[0].b', 'a[].b[].c', '$[].a'),
        (value, path) => {
          at(path, value);
        },
      ),
    );
  });
});
