import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAllowance } from '../../../../../src/adapters/http/rate-limit-headers.ts';

const now = Date.parse('2026-01-31T23:59:00Z');
const nowSeconds = now / 1000;
const read = (headers: Record<string, string>) => readAllowance(new Headers(headers), now);
const allowance = (
  limit: number | null,
  windowMs: number | null,
  remaining: number | null,
  resetMs: number | null,
) => ({ limit, windowMs, remaining, resetMs });

describe('RateLimit and RateLimit-Policy (draft 10)', () => {
  test.each([
    ['"default";r=50;t=30', '"default";q=100;w=60', allowance(100, 60_000, 50, 30_000)],
    [
      ' "default" ; r=50 ; t=30 ',
      '"default"; q=100; w=60; pk=:cHNsZAo=:',
      allowance(100, 60_000, 50, 30_000),
    ],
    ['default;r=50;t=30', 'default;q=100;w=60', allowance(100, 60_000, 50, 30_000)],
    ['"default";r=50', '"default";q=100', allowance(100, null, 50, null)],
    ['"default";r=50;t=30', '', allowance(null, null, 50, 30_000)],
    ['"other";r=50;t=30', '"a, b;c";q=1000;w=60', allowance(null, null, 50, 30_000)],
    ['"a, b;c";r=5;t=30', '"a, b;c";q=1000;w=60', allowance(1000, 60_000, 5, 30_000)],
    ['', '"default";q=100;w=60', allowance(100, 60_000, null, null)],
  ])('are parsed: %s with policy %s', (field, policy, expected) => {
    expect(read({ ratelimit: field, 'ratelimit-policy': policy })).toEqual(expected);
  });

  test('apply the policy that leaves the fewest requests per second', () => {
    const policy = '"burst";q=10;w=1, "day";q=8640;w=86400';
    expect(read({ 'ratelimit-policy': policy })).toEqual(allowance(8640, 86_400_000, null, null));
    expect(read({ 'ratelimit-policy': policy, ratelimit: '"burst";r=0;t=1, "day";r=8000;t=3600' })).toEqual(
      allowance(10, 1_000, 0, 1_000),
    );
    expect(read({ 'ratelimit-policy': policy, ratelimit: '"day";r=8000;t=36;"burst"' })).toEqual(
      allowance(10, 1_000, null, null),
    );
  });

  test('ignore a policy that does not count requests', () => {
    const policy = '"bytes";q=10;w=60;qu="content-bytes", "calls";q=100;w=60;qu="requests"';
    expect(read({ 'ratelimit-policy': policy })).toEqual(allowance(100, 60_000, null, null));
  });
});

describe('older forms of rate limit headers', () => {
  test.each<[Record<string, string>, ReturnType<typeof allowance>]>([
    [{ ratelimit: 'limit=100, remaining=50, reset=30' }, allowance(100, null, 50, 30_000)],
    [
      { ratelimit: 'limit=100, remaining=50, reset=30', 'ratelimit-policy': '100;w=60' },
      allowance(100, 60_000, 50, 30_000),
    ],
    [
      { 'ratelimit-limit': '100', 'ratelimit-remaining': '50', 'ratelimit-reset': '30' },
      allowance(100, null, 50, 30_000),
    ],
    [{ 'ratelimit-limit': '100;w=60', 'ratelimit-remaining': '50' }, allowance(100, 60_000, 50, null)],
    [
      { 'ratelimit-limit': '10, 10;w=1, 1000;w=3600', 'ratelimit-remaining': '9', 'ratelimit-reset': '1' },
      allowance(1000, 3_600_000, null, null),
    ],
    [
      { 'ratelimit-limit': '100', 'ratelimit-policy': '100;w=60', 'ratelimit-remaining': '7' },
      allowance(100, 60_000, 7, null),
    ],
    [{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' }, allowance(60, null, 0, null)],
    [{ 'x-ratelimit-remaining': '12.0', 'x-ratelimit-reset': '1.5' }, allowance(null, null, 12, 1_500)],
    [
      { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': `${nowSeconds + 90}` },
      allowance(null, null, 12, 90_000),
    ],
    [
      { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': `${now + 90_000}` },
      allowance(null, null, 12, 90_000),
    ],
    [
      { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': `${nowSeconds - 90}` },
      allowance(null, null, 12, 0),
    ],
    [{ 'ratelimit-limit': 'lots', 'x-ratelimit-limit': '60' }, allowance(60, null, null, null)],
  ])('are parsed: %j', (headers, expected) => {
    expect(read(headers)).toEqual(expected);
  });
});

describe('invalid rate limit headers', () => {
  test.each<[Record<string, string>]>([
    [{}],
    [{ 'x-ratelimit-limit': '-1' }],
    [{ 'x-ratelimit-limit': '0' }],
    [{ 'x-ratelimit-limit': '1e9' }],
    [{ 'x-ratelimit-limit': 'unlimited', 'x-ratelimit-reset': 'tomorrow' }],
    [{ 'x-ratelimit-reset': '30' }],
    [{ 'ratelimit-policy': '"default";w=60' }],
    [{ ratelimit: '"default";r=-5;t=30' }],
    [{ ratelimit: '"default;r=5' }],
    [{ ratelimit: ',;,;=;"' }],
    [{ ratelimit: `"a";r=5;t=${'9'.repeat(1_000)}` }],
  ])('are ignored: %j', (headers) => {
    expect(read(headers)).toBeNull();
  });

  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('"', '\\', ',', ';', '=', 'q', 'w', 'r', 't', '1', '9', ' ', 'limit'))
      .map((all) => all.join('')),
  );
  const names = [
    'ratelimit',
    'ratelimit-policy',
    'ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ];

  test('are parsed without an error, to non-negative integers only', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), text), (headers) => {
        const allowance = readAllowance({ get: (name) => headers[name] ?? null }, now);
        const numbers = Object.values(allowance ?? {}).filter((value) => value !== null);
        expect(numbers.every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
        expect(allowance === null || numbers.length > 0).toBe(true);
      }),
    );
  });

  test('are ignored when they are too long', () => {
    expect(read({ ratelimit: '"\\'.repeat(50_000) })).toBeNull();
  });
});
