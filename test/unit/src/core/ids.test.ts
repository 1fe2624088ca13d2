import { expect, test } from 'vitest';
import { newId } from '../../../../src/core/ids.ts';

const nowMs = Date.UTC(2026, 10, 21);

test('an id consists of its prefix and a version 7 UUID without dashes', () => {
  for (const prefix of ['bat', 'req'] as const) {
    expect(newId(prefix, nowMs)).toMatch(
      new RegExp(`^${prefix}_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$`),
    );
  }
});

test('an id contains its time in milliseconds', () => {
  for (const ms of [0, nowMs, nowMs + 1, 2 ** 48 - 1]) {
    expect(Number.parseInt(newId('bat', ms).slice(4, 16), 16)).toBe(ms);
  }
});

test('later ids sort after earlier ones', () => {
  const ids = Array.from({ length: 200 }, (_, i) => newId('bat', nowMs + i * 977));
  expect([...ids].sort()).toEqual(ids);
});

test('ids of the same millisecond differ', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newId('req', nowMs))).size).toBe(10_000);
});
