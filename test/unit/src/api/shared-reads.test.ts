import { expect, test, vi } from 'vitest';
import { createSharedReads } from '../../../../src/api/shared-reports/shared-reads.ts';

function create() {
  let time = 0;
  const reads = createSharedReads<string>({ sizeMax: 2, ageMsMax: 100, now: () => time });
  const make = vi.fn((value: string) => Promise.resolve(value));
  return {
    reads,
    make,
    get: (key: string) => reads.get(key, () => make(key)),
    pass: (ms: number) => (time += ms),
  };
}

test('callers at the same time and shortly after share one value', async () => {
  const { make, get, pass } = create();
  expect(await Promise.all([get('a'), get('a')])).toEqual(['a', 'a']);
  pass(99);
  await get('a');
  expect(make).toHaveBeenCalledTimes(1);
  pass(1);
  await get('a');
  expect(make).toHaveBeenCalledTimes(2);
});

test('the oldest value goes when there are too many', async () => {
  const { make, get } = create();
  for (const key of ['a', 'b', 'c', 'b', 'a']) await get(key);
  expect(make.mock.calls.flat()).toEqual(['a', 'b', 'c', 'a']);
});

test('an error is not kept', async () => {
  const { reads, get } = create();
  await expect(reads.get('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await get('a')).toBe('a');
});
