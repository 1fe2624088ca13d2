import { describe, expect, test } from 'vitest';
import type { Allowance } from '../../../../../src/core/sources/allowance.ts';
import { applyRateLimitHeaders } from '../../../../../src/core/sources/apply-rate-limit-headers.ts';

const pace = { requestsPerSecond: 2, burst: 1 };
const nothing = { holdOffMs: null, intervalMs: null };

function reported(changes: Partial<Allowance>): Allowance {
  return { limit: null, windowMs: null, remaining: null, resetMs: null, ...changes };
}

test('a source that says nothing of its pace changes nothing', () => {
  expect(applyRateLimitHeaders(null, pace)).toEqual(nothing);
  expect(applyRateLimitHeaders(reported({}), pace)).toEqual(nothing);
});

describe('a window that is used up', () => {
  test.each<[string, Partial<Allowance>, number | null]>([
    ['is waited for', { remaining: 0, resetMs: 5000 }, 5000],
    ['is waited for an hour at most', { remaining: 0, resetMs: 31_536_000_000 }, 3_600_000],
    ['that is over is not waited for', { remaining: 0, resetMs: 0 }, null],
    ['that does not say when it ends is not waited for', { remaining: 0 }, null],
    ['but for one request is not waited for', { remaining: 1, resetMs: 5000 }, null],
    ['is not one that does not say what remains', { resetMs: 5000 }, null],
  ])('%s', (_, changes, holdOffMs) => {
    expect(applyRateLimitHeaders(reported(changes), pace)).toEqual({ holdOffMs, intervalMs: null });
  });
});

describe('a limit', () => {
  test.each<[string, Partial<Allowance>, number | null]>([
    ['slower than our pace becomes the pace', { limit: 60, windowMs: 60_000 }, 1000],
    ['equal to our pace changes nothing', { limit: 120, windowMs: 60_000 }, null],
    ['faster than our pace changes nothing: ours is a promise', { limit: 600, windowMs: 60_000 }, null],
    ['without a window says nothing', { limit: 1 }, null],
    ['of nothing says nothing', { limit: 0, windowMs: 60_000 }, null],
  ])('%s', (_, changes, intervalMs) => {
    expect(applyRateLimitHeaders(reported(changes), pace)).toEqual({ holdOffMs: null, intervalMs });
  });

  test('is the pace where we have none', () => {
    expect(applyRateLimitHeaders(reported({ limit: 600, windowMs: 60_000 }), null).intervalMs).toBe(100);
  });
});
