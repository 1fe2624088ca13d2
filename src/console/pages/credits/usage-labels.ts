import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCount } from '../../components/format.ts';

type Free = components['schemas']['UsageLine']['free'];
type Entry = components['schemas']['LedgerEntry'];

/** Labels of the operations. */
export const operationLabels: Readonly<Record<NonNullable<Entry['operation']>, string>> = {
  ads_search: 'Ads search',
  email_validation: 'E-mail validation',
};

const reasons: readonly (readonly [name: Exclude<keyof Free, 'total'>, label: string])[] = [
  ['none', 'without ads'],
  ['no_match', 'not identified'],
  ['unknown', 'address unknown'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
  ['repeated', 'reused'],
  ['no_price', 'no price'],
];

/** Formats the reasons of free lookups: "300 without ads, 12 failed"; a dash without any. */
export function freeReasons(free: Free): string {
  const shown = reasons.filter(([name]) => free[name] > 0);
  if (shown.length === 0) return '–';
  return shown.map(([name, label]) => `${formatCount(free[name])} ${label}`).join(', ');
}

const freeOutcomes: Readonly<Record<string, string>> = {
  none: 'without ads',
  no_match: 'not identified',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Formats the label of a ledger entry. */
export function entryLabel({ kind, credits, held, outcome, email_status: status, reason }: Entry): string {
  switch (kind) {
    case 'grant':
      return reason === null || reason === '' ? 'Granted' : `Granted: ${reason}`;
    case 'reserve':
      return 'Reserved';
    case 'settle':
      // The same entry releases the rest of the reservation.
      return credits + held === 0 ? 'Released' : `Charged${outcome === 'found' ? ': with ads' : ''}`;
    case 'release':
      if (status === 'unknown') return 'Released: address unknown';
      return `Released: ${freeOutcomes[outcome ?? ''] ?? 'free'}`;
  }
}
