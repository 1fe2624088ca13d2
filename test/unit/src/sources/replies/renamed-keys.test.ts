import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rejectRenamed } from '../../../../../src/sources/replies/renamed-keys.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const keys = { known: ['id', 'image', 'link'], usual: ['image'] };
const check = (...rows: readonly Readonly<Record<string, unknown>>[]) => rejectRenamed('acme', rows, keys);

describe('rows are refused', () => {
  test('where a usual key is in none of them, and an unknown one is in some', () => {
    expect(() => check({ id: 1 }, { id: 2, picture: 'x' })).toThrow(SourceUnreadable);
    expect(() => check({ id: 1 }, { id: 2, picture: 'x' })).toThrow(
      'The source acme answered in an unknown shape: no row has the key image, and some have "picture"',
    );
  });

  test('with no more than the beginning of a long key, and not as it is', () => {
    expect(() => check({ [`${'\n'}${'k'.repeat(500)}`]: 1 })).toThrow(/some have "\\nk{39}"$/);
  });
});

describe('rows are let through', () => {
  test.each<[string, readonly Readonly<Record<string, unknown>>[]]>([
    ['where there is none', []],
    ['where one has the usual key, also as null', [{ image: null }, { picture: 'x' }]],
    ['where no key is unknown', [{ id: 1 }, { id: 2, link: 'x' }]],
  ])('%s', (_, rows) => {
    expect(() => check(...rows)).not.toThrow();
  });
});

test('renaming one key in all rows is always noticed', () => {
  const row = fc.record({ id: fc.nat(), image: fc.string(), link: fc.string() }, { requiredKeys: ['id'] });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      fc.pre(rows.some((each) => each.image !== undefined));
      const renamed = rows.map(({ image, ...rest }) =>
        image === undefined ? rest : { ...rest, image_url: image },
      );
      check(...rows);
      expect(() => check(...renamed)).toThrow(SourceUnreadable);
    }),
  );
});
