import { expect, test } from 'vitest';
import { createWatchers } from '../../../../../../src/console/api/live/watchers.ts';
import { createTimerClock } from '../../../../../support/browser/timer-clock.ts';

/** Watchers with a batch list and a schedule list, which record the times of their refreshes. */
function openWatchers() {
  const clock = createTimerClock();
  const watchers = createWatchers(clock);
  const refreshed: string[] = [];
  const watch = (name: string, ...parts: ('batches' | 'schedules')[]) =>
    watchers.watch(parts, async () => void refreshed.push(`${name} ${clock.nowMs()}`));
  return { clock, watchers, refreshed, watch };
}

test('a change of a part refreshes the loads that depend on it', async () => {
  const { clock, watchers, refreshed, watch } = openWatchers();
  watch('list', 'batches');
  watch('home', 'schedules', 'batches');
  watch('schedules', 'schedules');
  watchers.update({ batches: 'a', schedules: 'a' });
  await clock.pass(100);
  expect(refreshed).toEqual([]);
  watchers.update({ batches: 'b', schedules: 'a' });
  await clock.pass(0);
  expect(refreshed).toEqual(['list 100', 'home 100']);
  watchers.update({ batches: 'b', schedules: 'a' });
  await clock.pass(10_000);
  expect(refreshed).toHaveLength(2);
});

test('a part that changes every second refreshes every three seconds, and after the last change', async () => {
  const { clock, watchers, refreshed, watch } = openWatchers();
  watch('list', 'batches');
  watchers.update({ batches: '0' });
  for (let n = 1; n <= 8; n += 1) {
    await clock.pass(1000);
    watchers.update({ batches: String(n) });
  }
  await clock.pass(60_000);
  expect(refreshed).toEqual(['list 1000', 'list 4000', 'list 7000', 'list 10000']);
});

test('slow refreshes take at most a twentieth of the time', async () => {
  const clock = createTimerClock();
  const watchers = createWatchers(clock);
  const refreshed: number[] = [];
  watchers.watch(['batches'], () => {
    refreshed.push(clock.nowMs());
    return new Promise((resolve) => clock.later(500, resolve));
  });
  watchers.update({ batches: '0' });
  for (let n = 1; n <= 25; n += 1) {
    await clock.pass(1000);
    watchers.update({ batches: String(n) });
  }
  await clock.pass(60_000);
  expect(refreshed).toEqual([1000, 11_000, 21_000, 31_000]);
});

test('a load that begins while revisions are known compares with them', async () => {
  const { clock, watchers, refreshed, watch } = openWatchers();
  watchers.update({ batches: 'a' });
  await clock.pass(60_000);
  watch('list', 'batches');
  watchers.update({ batches: 'a' });
  await clock.pass(0);
  expect(refreshed).toEqual([]);
  watchers.update({ batches: 'b' });
  await clock.pass(0);
  expect(refreshed).toEqual(['list 60000']);
});

test('first revisions that come late refresh loads that may have missed a change', async () => {
  const { clock, watchers, refreshed, watch } = openWatchers();
  watch('old', 'batches');
  await clock.pass(5000);
  watch('new', 'batches');
  watchers.update({ batches: 'a' });
  await clock.pass(0);
  expect(refreshed).toEqual(['old 5000']);
});

test('a load that ends is refreshed no more, also if it was due', async () => {
  const { clock, watchers, refreshed, watch } = openWatchers();
  const leave = watch('list', 'batches');
  watchers.update({ batches: 'a' });
  watchers.update({ batches: 'b' });
  leave();
  watchers.update({ batches: 'c' });
  watchers.refreshAll();
  await clock.pass(10_000);
  expect(refreshed).toEqual([]);
});

test('after a time without revisions everything is refreshed, once', async () => {
  const { clock, watchers, refreshed, watch } = openWatchers();
  watch('list', 'batches');
  watch('schedules', 'schedules');
  watchers.update({ batches: 'a', schedules: 'a' });
  watchers.refreshAll();
  watchers.refreshAll();
  await clock.pass(10_000);
  expect(refreshed).toEqual(['list 0', 'schedules 0']);
});
