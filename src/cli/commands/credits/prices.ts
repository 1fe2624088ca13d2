import { ValidationError } from '../../../core/errors.ts';
import { findLiveSource, liveSources } from '../../../sources/registry.ts';
import { creditsNumber, formatCredits } from '../../../core/credits/credits.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

/** The price book: what an answer with a result costs, and from when on. */
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
        'What the sources charge, as far as it is known:',
        formatTable(
          ['source', 'a unit costs', '', 'a unit is', 'from', 'note'],
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

/** Sets the price of a unit at a source from now on. Earlier calls keep the price of their time. */
export const setSourcePrice: Command<
  [string, string],
  { readonly currency?: string; readonly unit?: string; readonly note?: string }
> = async ({ app, output }, options, name, amount) => {
  const definition = findLiveSource(name);
  if (definition === undefined)
    throw new ValidationError(
      `${name} is no source that charges. There are: ${liveSources.map(({ id }) => id).join(', ')}.`,
    );
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(amount))
    throw new ValidationError(`${amount}: write an amount in the source's own money, such as 0.002.`);
  const {
    sources: { prices: sourcePrices, registry: sources },
  } = await app();
  const source = definition.id;
  const before = (await sourcePrices.list()).findLast((line) => line.source === source);
  const currency = options.currency ?? before?.currency;
  const unit = options.unit ?? (await sources.unitOf(definition)) ?? before?.unit;
  if (currency === undefined || unit === undefined)
    throw new ValidationError(
      `${source} has no price yet: say its money and what a unit is, such as --currency USD --unit call.`,
    );
  const line = await sourcePrices.set({ source, amount, currency, unit, note: options.note ?? null });
  output.result(
    { ...line, amount: Number(line.amount) },
    () => `From now on ${source} costs ${amount} ${currency} for each ${unit}.`,
  );
  return exitCodes.done;
};
