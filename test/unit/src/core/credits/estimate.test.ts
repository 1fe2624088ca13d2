import { expect, test } from 'vitest';
import { answeredMin, estimateCost } from '../../../../../src/core/credits/estimate.ts';

const pricesMicro = { ads_search: 200_000n, email_validation: 10_000n };
const free = { ...pricesMicro, email_validation: 0n };

test('the ceiling is what it costs when every lookup has a result', () => {
  const cost = estimateCost({ ads_search: 3, email_validation: 5 }, pricesMicro);
  expect(cost).toEqual({ ceilingMicro: 650_000n, expectedMicro: null });
});

test('what is expected is the share that had a result so far, of each operation by itself', () => {
  const rates = {
    ads_search: { hits: 40, answered: 80 },
    email_validation: { hits: 90, answered: 100 },
  };
  const cost = estimateCost({ ads_search: 10, email_validation: 10 }, pricesMicro, rates);
  expect(cost.expectedMicro).toBe(1_000_000n + 90_000n);
});

test('with one answered lookup fewer than it takes nothing is expected', () => {
  const lookups = { ads_search: 10, email_validation: 0 };
  const rateOf = (answered: number) => ({ ads_search: { hits: answered, answered } });
  expect(estimateCost(lookups, pricesMicro, rateOf(answeredMin - 1)).expectedMicro).toBeNull();
  expect(estimateCost(lookups, pricesMicro, rateOf(answeredMin)).expectedMicro).toBe(2_000_000n);
});

test('an operation that costs nothing, or has no lookups, needs no hit rate', () => {
  const rates = { ads_search: { hits: 0, answered: 500 } };
  expect(estimateCost({ ads_search: 10, email_validation: 10 }, free, rates).expectedMicro).toBe(0n);
  expect(estimateCost({ ads_search: 10, email_validation: 0 }, pricesMicro, rates).expectedMicro).toBe(0n);
  expect(estimateCost({ ads_search: 10, email_validation: 1 }, pricesMicro, rates).expectedMicro).toBeNull();
});
