import { formatCredits } from '../../core/credits/credits.ts';

/** Formats an amount of credits for people, as `parseCredits` reads it: `1,000.5`. */
export function amountText(micro: bigint): string {
  const [whole = '', fraction] = formatCredits(micro).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Formats an amount with its unit: `1 credit`, `0.2 credits`. */
export function creditsText(micro: bigint): string {
  return `${amountText(micro)} ${micro === 1_000_000n ? 'credit' : 'credits'}`;
}
