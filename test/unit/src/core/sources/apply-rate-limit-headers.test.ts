import { describe, expect, test } from 'vitest';
import type { Allowance } from '../../../../../src/core/sources/allowance.ts';
import { applyRateLimitHeaders } from '../../../../../src/core/sources/apply-rate-limit-headers.ts';

const pace = { requestsPerSecond: 2, burst: 1 };
const nothing = { holdOffMs: null, intervalMs: null };

function reported(changes: Partial<Allowance>): Allowance {
  return { limit: null, windowMs: null, remaining: null, resetMs: null, ...changes };
}

test('a reply without rate limit headers changes nothing', () => {
  expect(applyRateLimitHeaders(null, pace)).toEqual(nothing);
  expect(applyRateLimitHeaders(reported({}), pace)).toEqual(nothing);
});

describe('an exhausted window', () => {
  test.each<[string, Partial<Allowance>, number | null]>([
    ['pauses the source until it resets', { remaining: 0, resetMs: 5000 }, 5000],
    ['pauses the source for one hour at most', { remaining: 0, resetMs: 31_536_000_000 }, 3_600_000],
    ['does not pause the source if it is over', { remaining: 0, resetMs: 0 }, null],
    ['does not pause the source without a reset time', { remaining: 0 }, null],
    ['does not include a window with one request left', { remaining: 1, resetMs: 5000 }, null],
    ['does not include a window without a number of remaining requests', { resetMs: 5000 }, null],
  ])('%s', (_, changes, holdOffMs) => {
    expect(applyRateLimitHeaders(reported(changes), pace)).toEqual({ holdOffMs, intervalMs: null });
  });
});

describe('a limit of the source', () => {
  test.each<[string, Partial<Allowance>, number | null]>([
    ['applies if it is slower than the configured rate', { limit: 60, windowMs: 60_000 }, 1000],
    ['changes nothing if it equals the configured rate', { limit: 120, windowMs: 60_000 }, null],
    ['changes nothing if it is faster than the configured rate', { limit: 600, windowMs: 60_000 }, null],
    ['is ignored without a window', { limit: 1 }, null],
    ['is ignored if it is zero', { limit: 0, windowMs: 60_000 }, null],
  ])('%s', (_, changes, intervalMs) => {
    expect(applyRateLimitHeaders(reported(changes), pace)).toEqual({ holdOffMs: null, intervalMs });
  });

  test('applies if no rate is configured', () => {
    expect(applyRateLimitHeaders(reported({ limit: 600, windowMs: 60_000 }), null).intervalMs).toBe(100);
  });
});
