import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCount, formatCounted, formatCredits, formatShare } from '../../components/format.ts';
import type { Cost } from './cost.ts';

const subjects = { ads_search: 'companies with ads', email_validation: 'addresses with a verdict' } as const;

/** Maximum and expected cost of a batch, as text. */
export function costLabels(cost: Cost, { credits }: components['schemas']['Check']): readonly string[] {
  const priced = credits.hit_rates.filter(({ price }) => price > 0);
  const prices = priced.map(
    ({ operation, price }) => `${subjects[operation]} cost ${formatCredits(price)} each`,
  );
  const rates = priced.filter(({ rate }) => rate !== null);
  return [
    prices.length === 0 ? 'All of it is free.' : `Only ${prices.join(', ')}; the others are free.`,
    ...(cost.expected === null || prices.length === 0
      ? []
      : [`About ${formatCredits(cost.expected)} credits, going by your own lists.`]),
    ...rates.map(
      ({ operation, rate, answered }) =>
        `${formatShare(rate ?? 0)} of your last ${formatCount(answered)} ${operation === 'ads_search' ? 'companies had ads' : 'addresses got a verdict'}.`,
    ),
    ...(cost.expected === null
      ? ['Too few of your companies were looked up so far to say what to expect.']
      : []),
  ];
}

/** Text on budget and balance, and the consequence where they do not suffice. */
export function roomWords(
  cost: Cost,
  balance: number,
  budget: number | null,
): { readonly kind: 'good' | 'warning' | 'info'; readonly words: string } {
  const { lookups, stoppedBy, isStopLikely } = cost;
  const whole = formatCounted(lookups, 'lookup');
  if (stoppedBy === null) {
    return { kind: 'good', words: `That covers all of it: ${whole}, whatever is found.` };
  }
  const what =
    stoppedBy === 'budget'
      ? `The budget of ${formatCredits(budget ?? 0)} credits`
      : `What you have, ${formatCredits(balance)} credits,`;
  const then =
    stoppedBy === 'budget'
      ? 'The list then waits until you raise the budget.'
      : 'The list then waits, and goes on by itself once there are more credits.';
  if (isStopLikely === false) {
    return {
      kind: 'info',
      words: `${what} probably covers all of it, though not if everything is found. ${then}`,
    };
  }
  const likely = isStopLikely === true ? 'will probably not do' : 'may not do';
  return { kind: 'warning', words: `${what} ${likely} for ${whole}. ${then}` };
}
