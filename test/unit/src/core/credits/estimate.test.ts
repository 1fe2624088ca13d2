import { expect, test } from 'vitest';
import { answeredMin, estimateCost } from '../../../../../src/core/credits/estimate.ts';

const pricesMicro = { ads_search: 200_000n, email_validation: 10_000n };
const free = { ...pricesMicro, email_validation: 0n };

test('the ceiling is the cost if every lookup has a result', () => {
  const cost = estimateCost({ ads_search: 3, email_validation: 5 }, pricesMicro);
  expect(cost).toEqual({ ceilingMicro: 650_000n, expectedMicro: null });
});

test('the expected cost applies the hit rate of each operation', () => {
  const rates = {
    ads_search: { hits: 40, answered: 80 },
    email_validation: { hits: 90, answered: 100 },
  };
  const cost = estimateCost({ ads_search: 10, email_validation: 10 }, pricesMicro, rates);
  expect(cost.expectedMicro).toBe(1_000_000n + 90_000n);
});

test('the expected cost is null with fewer answered lookups than the minimum', () => {
  const lookups = { ads_search: 10, email_validation: 0 };
  const rateOf = (answered: number) => ({ ads_search: { hits: answered, answered } });
  expect(estimateCost(lookups, pricesMicro, rateOf(answeredMin - 1)).expectedMicro).toBeNull();
  expect(estimateCost(lookups, pricesMicro, rateOf(answeredMin)).expectedMicro).toBe(2_000_000n);
});

test('the expected cost needs no hit rate for an operation that is free or has no lookups', () => {
  const rates = { ads_search: { hits: 0, answered: 500 } };
  expect(estimateCost({ ads_search: 10, email_validation: 10 }, free, rates).expectedMicro).toBe(0n);
  expect(estimateCost({ ads_search: 10, email_validation: 0 }, pricesMicro, rates).expectedMicro).toBe(0n);
  expect(estimateCost({ ads_search: 10, email_validation: 1 }, pricesMicro, rates).expectedMicro).toBeNull();
});
