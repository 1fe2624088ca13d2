import { parseSourceNames } from '../../../config/config.ts';
import { estimateSpend, type SpendEstimate } from '../../../core/sources/estimate-spend.ts';
import type { LiveSourceDefinition } from '../../../sources/definition/source-definition.ts';
import type { CommandContext } from '../../context/command-context.ts';

/** Estimated cost of a file at a source. */
export interface VendorCost {
  readonly source: string;
  readonly currency: string | null;
  /** Price of a unit, decimal text; null: not known. */
  readonly price: string | null;
  readonly unit: string | null;
  /** Place of the price: the price book, or the list price of the source, which is known offline. */
  readonly priceFrom: 'price_book' | 'list_price' | null;
  /** Null if the price, or the number of units of a company, is not known. */
  readonly cost: SpendEstimate | null;
}

/**
 * Estimates the cost of companies at the sources that charge: at the named ones by the price book, else offline, by the list prices, at those
 * of `NIGHTSHIFT_SOURCES`.
 *
 * @throws Misconfigured for an unknown source, or if the database of the price book cannot be reached.
 */
export async function estimateVendorCosts(
  context: CommandContext,
  companies: number,
  named: string | undefined,
): Promise<readonly VendorCost[]> {
  if (companies === 0) return [];
  const { sources, catalog } = context.config();
  const names = named === undefined ? (sources ?? []) : parseSourceNames(named, catalog);
  const charging = names
    .flatMap((name) => catalog.findLive(name) ?? [])
    .filter(({ price }) => price !== null);
  if (charging.length === 0) return [];
  const priceOf = named === undefined ? listPriceOf : await readPriceBook(context);
  return charging.map((source) => toCost(context, source, companies, priceOf(source)));
}

interface KnownPrice extends Pick<VendorCost, 'priceFrom'> {
  readonly amount: string;
  readonly currency: string;
  readonly unit: string;
}

function listPriceOf({ price }: LiveSourceDefinition): KnownPrice | null {
  return price?.kind === 'list' ? { ...price, priceFrom: 'list_price' } : null;
}

async function readPriceBook({ app }: CommandContext) {
  const { sources } = await app();
  const prices = await sources.prices.list();
  return ({ id }: LiveSourceDefinition): KnownPrice | null => {
    const line = prices.findLast(({ source }) => source === id);
    return line === undefined ? null : { ...line, priceFrom: 'price_book' };
  };
}

function toCost(
  { config }: CommandContext,
  source: LiveSourceDefinition,
  companies: number,
  price: KnownPrice | null,
): VendorCost {
  const settings = config().access.get(source.id)?.settings ?? defaultsOf(source);
  const units = source.unitsPerCompany?.(settings) ?? null;
  const { companiesPerCall = 1 } = source;
  return {
    source: source.id,
    currency: price?.currency ?? null,
    price: price?.amount ?? null,
    unit: price?.unit ?? null,
    priceFrom: price?.priceFrom ?? null,
    cost:
      price === null || units === null
        ? null
        : estimateSpend(companies, { units, amount: price.amount, companiesPerCall }),
  };
}

/** Settings of a source that is not configured. */
function defaultsOf({ settings }: LiveSourceDefinition) {
  return Object.fromEntries(
    Object.entries(settings).map(([key, declared]) => [key, declared.default ?? null]),
  );
}

/** Formats the estimates, one line for each source. */
export function vendorCostLines(costs: readonly VendorCost[]): readonly string[] {
  return costs.map(({ source, cost, currency, price, unit, priceFrom }) => {
    const start = `At ${source}`.padEnd(11);
    if (price === null)
      return `${start}not known: set the price with \`nightshift prices source ${source} AMOUNT --currency USD\``;
    const basis = `${price} ${currency} for each ${unit}, by the ${priceFrom === 'price_book' ? 'price book' : 'list price'}`;
    if (cost === null) return `${start}not known: ${basis}; its file says how many units a company costs`;
    const text = (amount: number) => amount.toLocaleString('en', { maximumFractionDigits: 6 });
    return `${start}about ${text(cost.expected)} ${currency}, at most ${text(cost.max)} (${basis})`;
  });
}
