import { creditsNumber, formatCredits } from '../../core/credits/credits.ts';
import type { Command } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../output.ts';

/** The price book: what an answer with a result costs, and from when on. */
export const prices: Command<[], object> = async ({ app, output }) => {
  const lines = await (await app()).prices.readLines();
  output.result(
    {
      prices: lines.map(({ operation, amountMicro, effectiveFrom, note }) => ({
        operation,
        credits: creditsNumber(amountMicro),
        effective_from: effectiveFrom,
        note,
      })),
    },
    () =>
      formatTable(
        ['operation', 'credits', 'from', 'note'],
        lines.map((line) => [line.operation, formatCredits(line.amountMicro), line.effectiveFrom, line.note]),
      ),
  );
  return exitCodes.done;
};
