import { expect, test } from 'vitest';
import { createBackgroundTask } from '../../../../../src/core/async/background-task.ts';

/** Opens a task that waits until `end` is called. */
function openTask() {
  const errors: unknown[] = [];
  const ends: (() => void)[] = [];
  let starts = 0;
  const task = createBackgroundTask(
    async (signal) => {
      starts += 1;
      await new Promise<void>((resolve, reject) => {
        ends.push(resolve);
        signal.addEventListener('abort', () => reject(new Error('called off')));
      });
    },
    (error) => errors.push(error),
  );
  return { task, errors, starts: () => starts, end: () => ends.pop()?.() };
}

test('a background task does not start twice, and starts again after it ended', async () => {
  const { task, starts, end } = openTask();
  task.start();
  task.start();
  expect(starts()).toBe(1);
  end();
  while (starts() === 1) {
    task.start();
    await Promise.resolve();
  }
  expect(starts()).toBe(2);
  await task.close();
});

test('closing a background task aborts it, waits for it and reports no error', async () => {
  const { task, errors, starts } = openTask();
  task.start();
  await task.close();
  task.start();
  expect(starts()).toBe(1);
  expect(errors).toEqual([]);
});

test('closing a background task that never started returns at once', async () => {
  await openTask().task.close();
});

test('a background task reports an error and can start again', async () => {
  const errors: unknown[] = [];
  let starts = 0;
  const task = createBackgroundTask(
    async () => {
      starts += 1;
      throw new Error(`error ${starts}`);
    },
    (error) => errors.push(error),
  );
  for (const count of [1, 2]) {
    while (errors.length < count) {
      task.start();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  expect(errors.slice(0, 2).map(String)).toEqual(['Error: error 1', 'Error: error 2']);
  await task.close();
});
