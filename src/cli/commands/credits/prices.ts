import { ValidationError } from '../../../core/errors.ts';
import type { SourcePrice } from '../../../core/sources/source-bill.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { amountText } from '../../terminal/credits-text.ts';
import { formatTable } from '../../terminal/format-table.ts';

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
          ['operation', 'credits', { title: 'from', hide: 2 }, { title: 'note', hide: 1 }],
          lines.map((line) => [line.operation, amountText(line.amountMicro), line.effectiveFrom, line.note]),
          output.tableColumns(),
        ),
        ...(ofSources.length === 0
          ? [output.commands('No prices of sources yet. Set one with: nightshift prices source NAME AMOUNT')]
          : ['Known prices of the sources:', sourcesTable(ofSources, output.tableColumns())]),
      ].join('\n'),
  );
  return exitCodes.done;
};

function sourcesTable(lines: readonly SourcePrice[], columnsMax: number): string {
  return formatTable(
    ['source', 'unit price', 'currency', 'unit', { title: 'from', hide: 2 }, { title: 'note', hide: 1 }],
    lines.map((line) => [line.source, line.amount, line.currency, line.unit, line.effectiveFrom, line.note]),
    columnsMax,
  );
}

/** Sets the unit price of a source from now on. Earlier calls keep their price. */
export const setSourcePrice: Command<
  [string, string],
  { readonly currency?: string; readonly unit?: string; readonly note?: string }
> = async ({ app, config, output }, options, name, amount) => {
  const { catalog } = config();
  const definition = catalog.findLive(name);
  if (definition === undefined)
    throw new ValidationError(
      `Unknown billable source "${name}". Known sources: ${catalog.liveSources.map(({ id }) => id).join(', ')}.`,
    );
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(amount))
    throw new ValidationError(
      `Invalid amount "${amount}": must be an amount in the currency of the source, such as 0.002.`,
    );
  const {
    sources: { prices: sourcePrices, registry: sources },
  } = await app();
  const source = definition.id;
  const before = (await sourcePrices.list()).findLast((line) => line.source === source);
  const currency = options.currency ?? before?.currency;
  const unit = options.unit ?? (await sources.unitOf(definition)) ?? before?.unit;
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
