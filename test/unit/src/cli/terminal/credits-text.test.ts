import { expect, test } from 'vitest';
import { parseCredits } from '../../../../../src/core/credits/credits.ts';
import { amountText, creditsText } from '../../../../../src/cli/terminal/credits-text.ts';

test.each([
  [0n, '0', '0 credits'],
  [200_000n, '0.2', '0.2 credits'],
  [1_000_000n, '1', '1 credit'],
  [999_000_000n, '999', '999 credits'],
  [1_234_567_500_001n, '1,234,567.500001', '1,234,567.500001 credits'],
  [-1_234_500_000n, '-1,234.5', '-1,234.5 credits'],
])('%d microcredits are %s', (micro, amount, credits) => {
  expect(amountText(micro)).toBe(amount);
  expect(creditsText(micro)).toBe(credits);
  expect(parseCredits(amount)).toBe(micro);
});
