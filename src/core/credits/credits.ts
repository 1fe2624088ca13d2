import { ValidationError } from '../errors.ts';

/** One credit in microcredits, the only unit that is stored or added (docs/architecture/decisions/0009-microcredits.md). */
export const microPerCredit = 1_000_000n;

/**
 * Parses an amount of credits, `12`, `0.2` or `1,000.5`, into whole microcredits.
 *
 * @throws ValidationError when the text is not a decimal number or has more than six decimal places.
 */
export function parseCredits(text: string): bigint {
  const match = /^(-?)(\d{1,12}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (match === null) {
    throw new ValidationError(`"${text}" is not an amount of credits: write a number such as 25 or 0.2.`);
  }
  const [, sign, whole = '0', fraction = ''] = match;
  const micro = BigInt(whole.replaceAll(',', '')) * microPerCredit + BigInt(fraction.padEnd(6, '0'));
  return sign === '-' ? -micro : micro;
}

/** Microcredits as credits in decimal text, without trailing zeros: `200000n` is `0.2`. */
export function formatCredits(micro: bigint): string {
  const sign = micro < 0n ? '-' : '';
  const size = micro < 0n ? -micro : micro;
  const fraction = (size % microPerCredit).toString().padStart(6, '0').replace(/0+$/, '');
  return `${sign}${size / microPerCredit}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Microcredits as a JSON number of credits (docs/architecture/contract.md, 2.2, `credits_consumed`): `200000n` is 0.2. */
export function creditsNumber(micro: bigint): number {
  return Number(formatCredits(micro));
}
