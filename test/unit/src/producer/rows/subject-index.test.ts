import { describe, expect, test } from 'vitest';
import { createSubjectIndex } from '../../../../../src/producer/rows/subject-index.ts';

describe('lookup index', () => {
  test('returns the given lookup for a new key, and the stored one for a known key', () => {
    const index = createSubjectIndex();
    expect(index.findOrAdd('d:acme.com', 7)).toBe(7);
    expect(index.findOrAdd('d:acme.de', 8)).toBe(8);
    expect(index.findOrAdd('d:acme.com', 9)).toBe(7);
    expect(index.size()).toBe(2);
  });

  test('distinguishes keys that differ only in their letters', () => {
    const index = createSubjectIndex();
    const keys = ['n:müller', 'n:muller', 'n:株式会社', 'd:株式会社', 'n:', 'n: '];
    keys.forEach((key, i) => expect(index.findOrAdd(key, i + 1)).toBe(i + 1));
  });

  test('behaves like a map across many resizes, with few slots and large ids', () => {
    const index = createSubjectIndex(2);
    const map = new Map<string, number>();
    for (let n = 0; n < 20_000; n += 1) {
      const key = `d:company-${(n * 7919) % 12_000}.com`;
      const offered = 2 ** 52 + n;
      const known = map.get(key) ?? offered;
      map.set(key, known);
      expect(index.findOrAdd(key, offered)).toBe(known);
    }
    expect(index.size()).toBe(map.size);
  });
});
