import type { components } from '../../../../../examples/typescript-client/schema.ts';

/** Number of rows in a trial. */
export const trialRows = 10;

type Check = components['schemas']['Check'];

/** Cost of a batch, or of its first rows. */
export interface Cost {
  /** Lookups that would be made. */
  readonly lookups: number;
  readonly ceiling: number;
  /** Estimate from the account's hit rate; null without enough data. */
  readonly expected: number | null;
  /** The ceiling, or the budget where that is less. */
  readonly atMost: number;
  /** Limit that stops the batch early if every lookup has a result; else null. */
  readonly stoppedBy: 'budget' | 'balance' | null;
  /** True when the batch is expected to stop early. Null: unknown. */
  readonly isStopLikely: boolean | null;
}

/**
 * Computes the cost of a batch, or of its first rows, under a budget. The preview covers the first rows.
 *
 * @param budget null: no limit.
 */
export function costOf({ credits, preview }: Check, isTrial: boolean, budget: number | null): Cost {
  const first = preview.slice(0, trialRows);
  const parts = credits.hit_rates.map(({ operation, price, lookups, rate }) => {
    const count = isTrial ? first.filter(({ brings }) => brings.includes(operation)).length : lookups;
    const ceiling = count * price;
    return { count, ceiling, expected: expectedOf(ceiling, rate) };
  });
  const ceiling = roundCredits(parts.reduce((sum, part) => sum + part.ceiling, 0));
  const expected = parts.reduce<number | null>(
    (sum, part) => (sum === null || part.expected === null ? null : sum + part.expected),
    0,
  );
  const room = Math.min(budget ?? Infinity, credits.balance);
  const isStopped = ceiling > room;
  return {
    lookups: parts.reduce((sum, { count }) => sum + count, 0),
    ceiling,
    expected: expected === null ? null : roundCredits(expected),
    atMost: Math.min(ceiling, budget ?? Infinity),
    stoppedBy: isStopped ? stopOf(budget, credits.balance) : null,
    isStopLikely: isStopped && expected === null ? null : (expected ?? 0) > room,
  };
}

/** Parses a budget as entered: null for an empty text, undefined for an invalid amount. */
export function parseBudget(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(trimmed) || Number(trimmed) <= 0) return undefined;
  return Number(trimmed);
}

/** Parses a cap on the cost of calls as entered: null for an empty text, undefined for anything but an amount with its currency. */
export function parseCap(text: string): string | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const [, amount, currency] = /^(\d{1,9}(?:\.\d{1,9})?) ?([A-Za-z][A-Za-z_-]{0,30})$/.exec(trimmed) ?? [];
  return amount === undefined || currency === undefined || Number(amount) === 0
    ? undefined
    : `${amount} ${currency}`;
}

function expectedOf(ceiling: number, rate: number | null): number | null {
  if (ceiling === 0) return 0;
  return rate === null ? null : ceiling * rate;
}

function stopOf(budget: number | null, balance: number): 'budget' | 'balance' {
  return budget !== null && budget <= balance ? 'budget' : 'balance';
}

/** Rounds to the six decimal places of credits. */
function roundCredits(credits: number): number {
  return Math.round(credits * 1e6) / 1e6;
}
