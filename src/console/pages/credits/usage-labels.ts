import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCount } from '../../components/format.ts';

type Free = components['schemas']['UsageLine']['free'];
type Entry = components['schemas']['LedgerEntry'];

/** Labels of the operations. */
export const operationLabels: Readonly<Record<NonNullable<Entry['operation']>, string>> = {
  ads_search: 'Ads search',
  email_validation: 'E-mail validation',
};

const reasons: readonly (readonly [name: Exclude<keyof Free, 'total'>, words: string])[] = [
  ['none', 'no ads found'],
  ['no_match', 'not identified'],
  ['unknown', 'address unknown'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
  ['repeated', 'an earlier answer'],
  ['no_price', 'had no price'],
];

/** Why lookups were free: "300 no ads found, 12 failed"; a dash where none was. */
export function freeWords(free: Free): string {
  const shown = reasons.filter(([name]) => free[name] > 0);
  if (shown.length === 0) return '–';
  return shown.map(([name, words]) => `${formatCount(free[name])} ${words}`).join(', ');
}

const freeOutcomes: Readonly<Record<string, string>> = {
  none: 'free: no ads found',
  no_match: 'free: not identified',
  failed: 'free: failed',
  cancelled: 'free: cancelled',
};

/** Label of a ledger entry. */
export function entryLabels({ kind, credits, held, outcome, email_status: status, reason }: Entry): string {
  switch (kind) {
    case 'grant':
      return reason === null || reason === '' ? 'Granted' : `Granted: ${reason}`;
    case 'reserve':
      return 'Held until the answer is there';
    case 'settle':
      // What was held and is not spent comes back in the same entry.
      return credits + held === 0 ? 'Given back, free' : `Charged${outcome === 'found' ? ': ads found' : ''}`;
    case 'release':
      if (status === 'unknown') return 'Given back, free: address unknown';
      return `Given back, ${freeOutcomes[outcome ?? ''] ?? 'free'}`;
  }
}
