import { ValidationError } from '../../../core/errors.ts';
import { liveSourceNames } from '../../../config/source-access.ts';
import { creditsNumber, formatCredits } from '../../../core/credits/credits.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

/** Lists the prices of answers and of the sources, with their effective dates. */
export const prices: Command<[], object> = async ({ app, output }) => {
  const {
    credits: { prices: book },
    sources: { prices: sourcePrices },
  } = await app();
  const lines = await book.readLines();
  const ofSources = await sourcePrices.list();
  output.result(
    {
      prices: lines.map(({ operation, amountMicro, effectiveFrom, note }) => ({
        operation,
        credits: creditsNumber(amountMicro),
        effective_from: effectiveFrom,
        note,
      })),
      sources: ofSources.map((line) => ({ ...line, amount: Number(line.amount) })),
    },
    () =>
      [
        formatTable(
          ['operation', 'credits', 'from', 'note'],
          lines.map((line) => [
            line.operation,
            formatCredits(line.amountMicro),
            line.effectiveFrom,
            line.note,
          ]),
        ),
        'Known prices of the sources:',
        formatTable(
          ['source', 'unit price', 'currency', 'unit', 'from', 'note'],
          ofSources.map((line) => [
            line.source,
            line.amount,
            line.currency,
            line.unit,
            line.effectiveFrom,
            line.note,
          ]),
        ),
      ].join('\n'),
  );
  return exitCodes.done;
};

/** Sets the unit price of a source from now on. Earlier calls keep their price. */
export const setSourcePrice: Command<
  [string, string],
  { readonly currency?: string; readonly unit?: string; readonly note?: string }
> = async ({ app, output }, options, name, amount) => {
  const source = liveSourceNames.find((each) => each === name);
  if (source === undefined)
    throw new ValidationError(
      `Unknown billable source "${name}". Known sources: ${liveSourceNames.join(', ')}.`,
    );
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(amount))
    throw new ValidationError(
      `Invalid amount "${amount}": must be an amount in the currency of the source, such as 0.002.`,
    );
  const {
    sources: { prices: sourcePrices, registry: sources },
  } = await app();
  const before = (await sourcePrices.list()).findLast((line) => line.source === source);
  const currency = options.currency ?? before?.currency;
  const unit = options.unit ?? (await sources.unitOf(source)) ?? before?.unit;
  if (currency === undefined || unit === undefined)
    throw new ValidationError(
      `${source} has no price yet. Set its currency and unit as well, such as --currency USD --unit call.`,
    );
  const line = await sourcePrices.set({ source, amount, currency, unit, note: options.note ?? null });
  output.result(
    { ...line, amount: Number(line.amount) },
    () => `${source} now costs ${amount} ${currency} per ${unit}.`,
  );
  return exitCodes.done;
};
