import { expect, test } from 'vitest';
import { createMemo } from '../../../../src/core/memo.ts';

test('a value is made once, also null, until the memo is full or cleared', () => {
  const made: string[] = [];
  const memo = createMemo<string, number | null>(2);
  const get = (key: string) =>
    memo.get(key, (text) => {
      made.push(text);
      return text === 'none' ? null : text.length;
    });
  expect([get('one'), get('none'), get('one'), get('none')]).toEqual([3, null, 3, null]);
  expect(made).toEqual(['one', 'none']);
  expect([get('three'), get('three')]).toEqual([5, 5]);
  expect(get('one')).toBe(3);
  expect(made).toEqual(['one', 'none', 'three', 'one']);
  memo.clear();
  get('three');
  expect(made.at(-1)).toBe('three');
});
