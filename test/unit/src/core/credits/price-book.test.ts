import { expect, test } from 'vitest';
import { chargeFor } from '../../../../../src/core/credits/price-book.ts';
import { adsOutcomes } from '../../../../../src/core/outcomes.ts';

test('a search that found ads costs the price of its hold, every other costs nothing', () => {
  const charges = Object.fromEntries(adsOutcomes.map((outcome) => [outcome, chargeFor(outcome, 200_000n)]));
  expect(charges).toEqual({ found: 200_000n, none: 0n, no_match: 0n, failed: 0n, cancelled: 0n });
});

test('a price of nothing charges nothing', () => {
  expect(chargeFor('found', 0n)).toBe(0n);
});
