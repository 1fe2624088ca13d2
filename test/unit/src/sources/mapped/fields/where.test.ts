import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathsOf, pick, where } from '../../../../../../src/sources/mapped/fields/where.ts';

const at = (from: unknown, row: unknown) => pick(row, where.parse(from));

describe('the origin of a value', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['a path', 'a.b', { a: { b: 'x' } }, 'x'],
    ['an absent key', 'a.b', { a: {} }, undefined],
    ['a constant', { constant: 'Video' }, {}, 'Video'],
    [
      'a constant whose condition holds',
      { constant: 'Video', if: { path: 'v[0]', is: 'present' } },
      { v: [1] },
      'Video',
    ],
    [
      'a constant whose condition does not hold',
      { constant: 'V', if: { path: 'v[0]', is: 'present' } },
      { v: [] },
      null,
    ],
    ['a listed value', { path: 'f', values: { VIDEO_AD: 'Video' } }, { f: 'VIDEO_AD' }, 'Video'],
    [
      'a value that is not listed',
      { path: 'f', values: { VIDEO_AD: 'Video' } },
      { f: 'Carousel' },
      'Carousel',
    ],
    ['every other value', { path: 'f', values: { 1: 'Text' }, otherwise: 'Image' }, { f: 2 }, 'Image'],
    ['no other value for none', { path: 'f', values: {}, otherwise: 'Image' }, { f: null }, null],
    ['a key of every object', { path: 'f', values: { a: 'b' } }, { f: 'constructor' }, 'constructor'],
    ['the first text of a list', { path: 't', take: 'first' }, { t: [' ', null, 'x', 'y'] }, 'x'],
    [
      'all different texts of a list',
      { path: 't', take: 'all', between: ' | ' },
      { t: ['x', 'y', 'x'] },
      'x | y',
    ],
    [
      'texts within the elements',
      { path: 't', take: 'all', of: 'n' },
      { t: [{ n: 'x' }, {}, { n: 'y' }] },
      'x, y',
    ],
    ['no text of an empty list', { path: 't', take: 'first' }, { t: [] }, null],
    ['a number as a text', { path: 'n', as: 'text' }, { n: 123 }, '123'],
    ['a fraction', { path: 'n', as: 'text' }, { n: 1.5 }, 1.5],
    ['the first that has a value', { first_of: ['a', 'b', { constant: 'c' }] }, { a: ' ', b: null }, 'c'],
    ['none if a key is null and none has a value', { first_of: ['a', 'b'] }, { a: null }, null],
    ['an absent key if none is there', { first_of: ['a', 'b'] }, {}, undefined],
    [
      'a template',
      { template: 'https://a.example/{x.y}?n={n}' },
      { x: { y: 'ü/1' }, n: 7 },
      'https://a.example/%C3%BC%2F1?n=7',
    ],
    ['a template without a value', { template: 'https://a.example/{x}' }, { x: null }, null],
    [
      'a link without its query',
      { path: 'u', without_query: true },
      { u: 'https://a.example/1?sig=x#y' },
      'https://a.example/1',
    ],
  ])('is %s', (_, from, row, expected) => {
    expect(at(from, row)).toEqual(expected);
  });

  test.each<[unknown, unknown]>([
    [{ path: 't', take: 'first' }, { t: 'x' }],
    [{ path: 't', take: 'all' }, { t: ['x', {}] }],
    [{ path: 't', values: { x: 'y' } }, { t: {} }],
    [{ first_of: ['a', 'b'] }, { a: 'x', b: [] }],
    [{ template: '{a}' }, { a: {} }],
  ])('never passes over a value of another kind: %j', (from, row) => {
    expect(typeof at(from, row)).toBe('object');
  });

  test('is a text only if every value on the way is a scalar', () => {
    const origins = [
      { path: 'a', take: 'first' },
      { path: 'a', take: 'all', of: 'b' },
      { path: 'a', values: { x: 'y' }, otherwise: 'z' },
      { first_of: ['a', { constant: 'c' }] },
      { template: 'x{a}' },
    ];
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...origins), (a, from) => {
        const value = at(from, { a });
        const isScalar =
          ['string', 'number', 'boolean', 'undefined'].includes(typeof value) || value === null;
        if (typeof a === 'object' && a !== null && !Array.isArray(a)) expect(isScalar).toBe(false);
        else expect(isScalar || typeof value === 'object').toBe(true);
      }),
    );
  });

  test('names all of its paths', () => {
    const from = where.parse({
      first_of: [
        'a',
        { path: 'b', take: 'all', of: 'c' },
        { constant: 'x', if: { path: 'd', is: 'present' } },
        { template: '{e.f}' },
      ],
    });
    expect(pathsOf(from).map(({ text }) => text)).toEqual(['a', 'b', 'b[].c', 'd', 'e.f']);
  });

  test.each([
    { path: 'a..b' },
    { constant: '' },
    { path: 'a', of: 'b' },
    { template: '{a..b}' },
    { first_of: [] },
    7,
  ])('is not %j', (from) => {
    expect(where.safeParse(from).success).toBe(false);
  });
});
