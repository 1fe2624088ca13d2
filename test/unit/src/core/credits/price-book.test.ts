import { expect, test } from 'vitest';
import { chargeFor } from '../../../../../src/core/credits/price-book.ts';
import { emailStatuses } from '../../../../../src/core/emails/verdict/verdict.ts';
import { adsOutcomes } from '../../../../../src/core/work/outcomes.ts';

test('a search with ads is charged the price of its hold, any other nothing', () => {
  const charges = Object.fromEntries(
    adsOutcomes.map((outcome) => [
      outcome,
      chargeFor({ outcome, emailStatus: null, repeats: null }, 200_000n),
    ]),
  );
  expect(charges).toEqual({ found: 200_000n, none: 0n, no_match: 0n, failed: 0n, cancelled: 0n });
});

test('a verdict is charged the price of its hold unless it is unknown', () => {
  const charges = Object.fromEntries(
    emailStatuses.map((emailStatus) => [
      emailStatus,
      chargeFor({ outcome: 'completed', emailStatus, repeats: null }, 10_000n),
    ]),
  );
  expect(charges).toEqual({ valid: 10_000n, invalid: 10_000n, catch_all: 10_000n, unknown: 0n });
});

test('a price of zero is charged as zero', () => {
  expect(chargeFor({ outcome: 'found', emailStatus: null, repeats: null }, 0n)).toBe(0n);
});

test('a cached answer is free', () => {
  expect(chargeFor({ outcome: 'found', emailStatus: null, repeats: 7n }, 200_000n)).toBe(0n);
});
