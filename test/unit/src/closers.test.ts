import { expect, test } from 'vitest';
import { createClosers } from '../../../src/closers.ts';

test('closers return what was added, and close it one after another in reverse order', async () => {
  const closers = createClosers();
  const events: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const opened = closers.add({ name }, async (thing) => {
      events.push(`close ${thing.name}`);
      await Promise.resolve();
      events.push(`${thing.name} closed`);
    });
    expect(opened).toEqual({ name });
  }
  await closers.close();
  expect(events).toEqual(['close c', 'c closed', 'close b', 'b closed', 'close a', 'a closed']);
});

test('closers close once; concurrent calls wait for it', async () => {
  const closers = createClosers();
  let closed = 0;
  closers.add(undefined, async () => {
    await Promise.resolve();
    closed += 1;
  });
  await Promise.all([closers.close(), closers.close()]);
  await closers.close();
  expect(closed).toBe(1);
});

test('closers close everything despite an error, and throw the first error', async () => {
  const closers = createClosers();
  const events: string[] = [];
  closers.add(undefined, () => void events.push('first'));
  closers.add(undefined, () => {
    throw new Error('second error');
  });
  closers.add(undefined, () => Promise.reject(new Error('first error')));
  await expect(closers.close()).rejects.toThrow('first error');
  expect(events).toEqual(['first']);
});

test('closers close what is added while they close', async () => {
  const closers = createClosers();
  const events: string[] = [];
  closers.add(undefined, () => void closers.add(undefined, () => void events.push('late')));
  await closers.close();
  expect(events).toEqual(['late']);
});
