import type { BatchBounds } from '../../../core/batches/batch.ts';
import { parseCredits } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';

/** Options of every command that limits a batch. */
export interface BoundsOptions {
  readonly limit?: string;
  readonly maxCredits?: string;
}

/**
 * Parses the given bounds. Omits bounds that are not given.
 *
 * @throws ValidationError naming the option.
 */
export function parseBounds({ limit, maxCredits }: BoundsOptions): Partial<BatchBounds> {
  return {
    ...(limit === undefined ? {} : { limitRows: parseLimit(limit) }),
    ...(maxCredits === undefined ? {} : { maxCreditsMicro: parseMaxCredits(maxCredits) }),
  };
}

function parseLimit(text: string): number {
  const rows = Number(text);
  if (/^\d+$/.test(text) && rows >= 1 && rows <= 1_000_000) return rows;
  throw new ValidationError(`--limit ${text}: must be an integer from 1 to 1000000, such as --limit 10.`);
}

function parseMaxCredits(text: string): bigint {
  const amountMicro = parseCredits(text);
  if (amountMicro > 0n) return amountMicro;
  throw new ValidationError(`--max-credits ${text}: must be an amount above 0, such as --max-credits 25.`);
}
