import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rejectRenamed } from '../../../../../src/sources/replies/renamed-keys.ts';
import { SourceUnreadable } from '../../../../../src/core/errors.ts';

const keys = { known: ['id', 'image', 'link'], usual: ['image'] };
const check = (...rows: readonly Readonly<Record<string, unknown>>[]) => rejectRenamed('acme', rows, keys);

describe('rows are rejected', () => {
  test('if none has a usual key and some have an unknown one', () => {
    expect(() => check({ id: 1 }, { id: 2, picture: 'x' })).toThrow(SourceUnreadable);
    expect(() => check({ id: 1 }, { id: 2, picture: 'x' })).toThrow(
      'The source acme answered in an unknown shape: no row has the key image, and some have "picture"',
    );
  });

  test('with a long key truncated and escaped', () => {
    expect(() => check({ [`${'\n'}${'k'.repeat(500)}`]: 1 })).toThrow(/some have "\\nk{39}"$/);
  });
});

describe('rows are accepted', () => {
  test.each<[string, readonly Readonly<Record<string, unknown>>[]]>([
    ['if there are none', []],
    ['if one has the usual key, even as null', [{ image: null }, { picture: 'x' }]],
    ['if no key is unknown', [{ id: 1 }, { id: 2, link: 'x' }]],
  ])('%s', (_, rows) => {
    expect(() => check(...rows)).not.toThrow();
  });
});

test('a key that is renamed in all rows is always detected', () => {
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
