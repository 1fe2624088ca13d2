import { expect, test } from 'vitest';
import { followServerClock } from '../../../../../src/core/time/server-clock.ts';

/** Clocks of a machine that is wrong by a day, and a server whose time is asked. */
function openClocks() {
  const now = { monotonicMs: 5, wallMs: 86_400_000, serverMs: 1_000_000, asked: 0, isAway: false };
  const clock = followServerClock(
    () => {
      now.asked += 1;
      return now.isAway ? Promise.reject(new Error('away')) : Promise.resolve(now.serverMs);
    },
    { monotonicMs: () => now.monotonicMs, wallMs: () => now.wallMs },
  );
  function pass(ms: number): void {
    now.monotonicMs += ms;
    now.wallMs += ms;
    now.serverMs += ms;
  }
  const read = async () => (await clock()).getTime();
  return { now, read, pass };
}

test('goes on by itself from the time of the server, and asks again after a minute', async () => {
  const { now, read, pass } = openClocks();
  expect(await read()).toBe(1_000_000);
  pass(59_000);
  expect([await read(), now.asked]).toEqual([1_059_000, 1]);
  pass(2000);
  // The server had set its clock.
  now.serverMs = 2_000_000;
  expect([await read(), now.asked]).toEqual([2_000_000, 2]);
});

test('asks again when the machine has slept: its even clock has stood still', async () => {
  const { now, read } = openClocks();
  await read();
  now.wallMs += 3 * 86_400_000;
  now.serverMs += 3 * 86_400_000;
  expect([await read(), now.asked]).toEqual([1_000_000 + 3 * 86_400_000, 2]);
});

test('goes on while the server is away, but does not begin without it', async () => {
  const { now, read, pass } = openClocks();
  now.isAway = true;
  await expect(read()).rejects.toThrow('away');
  now.isAway = false;
  await read();
  now.isAway = true;
  pass(120_000);
  expect(await read()).toBe(1_120_000);
});
