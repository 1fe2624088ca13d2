import type { BatchBounds } from '../../../core/batches/batch.ts';
import { parseCredits } from '../../../core/credits/credits.ts';
import { parseSpend, type Spend } from '../../../core/sources/spend.ts';
import { ValidationError } from '../../../core/errors.ts';

/** Options of every command that limits a batch. */
export interface BoundsOptions {
  readonly limit?: string;
  readonly maxCredits?: string;
  readonly maxSpend?: string;
}

/**
 * Parses the given bounds. Omits bounds that are not given.
 *
 * @throws ValidationError naming the option.
 */
export function parseBounds({ limit, maxCredits, maxSpend }: BoundsOptions): Partial<BatchBounds> {
  return {
    ...(limit === undefined ? {} : { limitRows: parseLimit(limit) }),
    ...(maxCredits === undefined ? {} : { maxCreditsMicro: parseMaxCredits(maxCredits) }),
    ...(maxSpend === undefined ? {} : { maxSpend: parseMaxSpend(maxSpend) }),
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

function parseMaxSpend(text: string): Spend {
  const spend = parseSpend(text);
  if (spend !== null) return spend;
  throw new ValidationError(
    `--max-spend ${text}: must be an amount above 0 with the currency of the source's price, such as --max-spend 5USD.`,
  );
}
