import { describe, expect, test } from 'vitest';
import { readRetryAfter } from '../../../../../src/adapters/http/retry-after.ts';

const now = Date.parse('2026-01-31T23:59:00Z');

describe('Retry-After', () => {
  test.each<[string | null, number | undefined]>([
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['86400', 3_600_000],
    ['9'.repeat(400), 3_600_000],
    ['Sun, 01 Feb 2026 00:00:00 GMT', 60_000],
    ['Sat, 31 Jan 2026 23:00:00 GMT', 0],
    ['Thu, 01 Jan 2099 00:00:00 GMT', 3_600_000],
    [null, undefined],
    ['', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['page 2', undefined],
    ['Sat, 99 Jan 2026 23:00:00 GMT', undefined],
  ])('%j is a delay of %j ms', (header, delayMs) => {
    expect(readRetryAfter(header, now)).toBe(delayMs);
  });
});
