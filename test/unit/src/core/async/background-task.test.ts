import { expect, test } from 'vitest';
import { createBackgroundTask } from '../../../../../src/core/async/background-task.ts';

/** Work that waits until it is let go on, and what became of it. */
function openWork() {
  const errors: unknown[] = [];
  const ends: (() => void)[] = [];
  let starts = 0;
  const work = createBackgroundTask(
    async (signal) => {
      starts += 1;
      await new Promise<void>((resolve, reject) => {
        ends.push(resolve);
        signal.addEventListener('abort', () => reject(new Error('called off')));
      });
    },
    (error) => errors.push(error),
  );
  return { work, errors, starts: () => starts, end: () => ends.pop()?.() };
}

test('work that is under way is not started a second time, and is when it has ended', async () => {
  const { work, starts, end } = openWork();
  work.start();
  work.start();
  expect(starts()).toBe(1);
  end();
  while (starts() === 1) {
    work.start();
    await Promise.resolve();
  }
  expect(starts()).toBe(2);
  await work.close();
});

test('closing calls the work off, waits for it, and reports nothing', async () => {
  const { work, errors, starts } = openWork();
  work.start();
  await work.close();
  work.start();
  expect(starts()).toBe(1);
  expect(errors).toEqual([]);
});

test('closing work that was never started is quick', async () => {
  await openWork().work.close();
});

test('an error is told, and the work can be started again', async () => {
  const errors: unknown[] = [];
  let starts = 0;
  const work = createBackgroundTask(
    async () => {
      starts += 1;
      throw new Error(`error ${starts}`);
    },
    (error) => errors.push(error),
  );
  for (const count of [1, 2]) {
    while (errors.length < count) {
      work.start();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  expect(errors.slice(0, 2).map(String)).toEqual(['Error: error 1', 'Error: error 2']);
  await work.close();
});
