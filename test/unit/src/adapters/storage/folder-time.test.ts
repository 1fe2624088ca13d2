import { expect, test } from 'vitest';
import { withinFolderTime } from '../../../../../src/adapters/storage/folder-time.ts';
import { StorageUnavailable } from '../../../../../src/core/errors.ts';

const never = new AbortController().signal;

test('a folder whose disk does not answer holds one thread, until it answers again', async () => {
  let answer: () => void = () => undefined;
  const hung = new Promise<void>((resolve) => (answer = resolve));
  const limits = { signal: never, deadlineMs: 20 };
  let begun = 0;
  const ask = () =>
    withinFolderTime('/mnt/away', limits, () => {
      begun += 1;
      return hung;
    });
  await expect(ask()).rejects.toThrow('The folder /mnt/away gave no answer within 0.02 s.');
  await expect(ask()).rejects.toThrow(StorageUnavailable);
  await expect(ask()).rejects.toThrow('The folder /mnt/away gives no answer.');
  expect(begun).toBe(1);
  expect(await withinFolderTime('/mnt/other', limits, () => Promise.resolve('read'))).toBe('read');
  answer();
  await hung;
  await expect.poll(ask).toBeUndefined();
  expect(begun).toBe(2);
});

test('errors and a caller that gives up are no silence', async () => {
  const limits = { signal: never, deadlineMs: 1000 };
  const failing = () =>
    withinFolderTime('/mnt/full', limits, () => Promise.reject(new Error('no space left')));
  await expect(failing()).rejects.toThrow('no space left');
  const caller = new AbortController();
  const given = withinFolderTime(
    '/mnt/full',
    { ...limits, signal: caller.signal },
    () => new Promise(() => undefined),
  );
  caller.abort(new Error('Stopped.'));
  await expect(given).rejects.toThrow('Stopped.');
  await expect(failing()).rejects.toThrow('no space left');
});
