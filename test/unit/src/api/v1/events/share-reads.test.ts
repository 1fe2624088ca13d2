import { expect, test } from 'vitest';
import { shareReads } from '../../../../../../src/api/v1/events/share-reads.ts';

/** Reads that the test ends, and a clock that it sets. */
function openReads() {
  const begun: { key: string; resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  let nowMs = 0;
  const read = shareReads<string, string>(
    (key) => new Promise((resolve, reject) => begun.push({ key, resolve, reject })),
    { ageMsMax: 900, nowMs: () => nowMs },
  );
  return { begun, read, setClock: (ms: number) => void (nowMs = ms) };
}

test('callers of one key share a read until it is too old', async () => {
  const { begun, read, setClock } = openReads();
  const first = [read('a'), read('a')];
  begun[0]?.resolve('one');
  expect(await Promise.all(first)).toEqual(['one', 'one']);
  setClock(899);
  expect(await read('a')).toBe('one');
  setClock(900);
  const next = read('a');
  expect(begun).toHaveLength(2);
  begun[1]?.resolve('two');
  expect(await next).toBe('two');
});

test('a read that takes longer than its age is not repeated while it runs', async () => {
  const { begun, read, setClock } = openReads();
  const first = read('a');
  setClock(5000);
  const second = read('a');
  expect(begun).toHaveLength(1);
  begun[0]?.resolve('one');
  expect([await first, await second]).toEqual(['one', 'one']);
});

test('keys have reads of their own', async () => {
  const { begun, read } = openReads();
  void read('a');
  void read('b');
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
});

test('a failed read fails its callers, and the next one reads again', async () => {
  const { begun, read } = openReads();
  const failed = [read('a'), read('a')];
  begun[0]?.reject(new Error('away'));
  for (const each of failed) await expect(each).rejects.toThrow('away');
  const next = read('a');
  begun[1]?.resolve('back');
  expect(await next).toBe('back');
});
