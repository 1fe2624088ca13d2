import type { components } from '../../../../../examples/typescript-client/schema.ts';
import { formatCount, formatCounted, formatCredits, formatShare } from '../../../components/format.ts';
import type { Cost } from './cost.ts';

const pricedResults = { ads_search: 'company with ads', email_validation: 'address with a verdict' } as const;

/** Explains the cost of a batch: prices, estimate and hit rates. */
export function costMessages(cost: Cost, { credits }: components['schemas']['Check']): readonly string[] {
  const priced = credits.hit_rates.filter(({ price }) => price > 0);
  const prices = priced.map(
    ({ operation, price }) => `${formatCredits(price)} credits per ${pricedResults[operation]}`,
  );
  const rates = priced.filter(({ rate }) => rate !== null);
  return [
    prices.length === 0 ? 'This batch is free.' : `You pay ${prices.join(' and ')}. Everything else is free.`,
    ...(cost.expected === null || prices.length === 0
      ? []
      : [`Estimate: about ${formatCredits(cost.expected)} credits, based on your earlier batches.`]),
    ...rates.map(
      ({ operation, rate, answered }) =>
        `${formatShare(rate ?? 0)} of your last ${formatCount(answered)} ${operation === 'ads_search' ? 'companies had ads' : 'addresses got a verdict'}.`,
    ),
    ...(cost.expected === null ? ['No estimate yet: it needs more results from your account.'] : []),
  ];
}

/** Compares budget and balance with the cost, and explains what happens at the limit. */
export function budgetMessage(
  cost: Cost,
  balance: number,
  budget: number | null,
): { readonly kind: 'good' | 'warning' | 'info'; readonly message: string } {
  const { lookups, stoppedBy, isStopLikely } = cost;
  const all = `${lookups === 1 ? '' : 'all '}${formatCounted(lookups, 'lookup')}`;
  if (stoppedBy === null) {
    return { kind: 'good', message: `Your ${budget === null ? 'balance' : 'budget'} covers ${all}.` };
  }
  const limit =
    stoppedBy === 'budget'
      ? `The budget of ${formatCredits(budget ?? 0)} credits`
      : `Your balance of ${formatCredits(balance)} credits`;
  const consequence =
    stoppedBy === 'budget'
      ? 'The batch then waits for a larger budget.'
      : 'The batch then waits, and resumes automatically once you have more credits.';
  if (isStopLikely === false) {
    return {
      kind: 'info',
      message: `${limit} probably covers ${all}, but not if every lookup has a result. ${consequence}`,
    };
  }
  const verb = isStopLikely === true ? 'will probably not cover' : 'may not cover';
  return { kind: 'warning', message: `${limit} ${verb} ${all}. ${consequence}` };
}
