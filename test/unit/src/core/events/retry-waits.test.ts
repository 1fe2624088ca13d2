import { expect, test } from 'vitest';
import { retryWaitsMs, waitAfter } from '../../../../../src/core/events/retry-waits.ts';

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

test('the waits are those of Standard Webhooks, and after the tenth attempt there is none', () => {
  const waits = Array.from({ length: 11 }, (_, i) => seconds(waitAfter(i + 1, null, 0.5)));
  const hour = 3600;
  expect(waits).toEqual([
    5,
    300,
    1800,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
    null,
    null,
  ]);
});

test('chance makes a wait up to a fifth shorter or longer', () => {
  for (const [i, waitMs] of retryWaitsMs.entries()) {
    expect(waitAfter(i + 1, null, 0)).toBe(waitMs * 0.8);
    expect(waitAfter(i + 1, null, 0.999_999_999)).toBe(Math.round(waitMs * 1.2));
  }
});

test('what the receiver asks for counts where it is longer, and never adds an attempt', () => {
  expect(waitAfter(1, 60_000, 0.5)).toBe(60_000);
  expect(waitAfter(2, 60_000, 0.5)).toBe(300_000);
  expect(waitAfter(10, 60_000, 0.5)).toBeNull();
});
