import { expect, test } from 'vitest';
import { createFirstLines } from '../../../../../src/producer/rows/first-lines.ts';

test('first lines are those of a map, also of many similar keys', () => {
  const lines = createFirstLines(4);
  const due = new Map<string, number>();
  const keys = Array.from({ length: 100_000 }, (_, i) => (i % 3 === 0 ? `d:${i % 999}.com` : `n:firma ${i}`));
  keys.forEach((key, index) => {
    const lineNo = index + 2;
    const known = due.get(key) ?? null;
    if (lines.meet(key, lineNo) !== known) expect.unreachable(`${key} on line ${lineNo}`);
    if (known === null) due.set(key, lineNo);
  });
  expect(lines.size()).toBe(due.size);
});

test('keys that differ in one character or in their order are distinct', () => {
  const lines = createFirstLines();
  const keys = Array.from({ length: 65_536 }, (_, code) => [
    `a${String.fromCharCode(code)}`,
    `${String.fromCharCode(code)}a`,
  ]).flat();
  keys.forEach((key, index) => void lines.meet(key, index + 1));
  expect(lines.size()).toBe(new Set(keys).size);
});
