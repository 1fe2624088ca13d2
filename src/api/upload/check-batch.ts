import type { App } from '../../app/app.ts';
import type { SearchOptions } from '../../core/ads/ads-answer.ts';
import { Misconfigured } from '../../core/errors.ts';
import { readPrices } from '../../core/credits/price-book.ts';
import { checkCompanies, type CompanyCheck } from '../../producer/preview/check-companies.ts';
import { usedColumns } from '../../producer/columns/company-file.ts';
import { readCompanies, type ReadOptions } from '../../producer/rows/read-companies.ts';
import type { CheckInfo } from './check-schema.ts';
import { microOf } from './schema.ts';
import type { SpooledList } from './spool.ts';

/** File to check. */
export interface ListToCheck {
  readonly list: SpooledList;
  readonly reading: ReadOptions;
  /** Null for the configured sources. */
  readonly sources: readonly string[] | null;
  readonly search: SearchOptions;
  readonly limitRows: number | null;
  readonly maxCredits: number | null;
}

/**
 * Checks a file without storing anything: the batch that it would create, and earlier batches of the account that match it.
 *
 * @throws ValidationError for a search that the sources do not support, like the upload itself.
 */
export async function checkList(
  services: App,
  accountId: number,
  { list, reading, limitRows, search, ...wanted }: ListToCheck,
): Promise<{ readonly check: CompanyCheck; readonly data: CheckInfo }> {
  const pricesMicro = await readPrices(services.credits.prices);
  const check = await checkCompanies(await readCompanies(list.open(), reading), pricesMicro, limitRows);
  const sources = wanted.sources ?? (await findDefaultSources(services));
  const searchesAds = check.form.operations.includes('ads_search');
  if (searchesAds && sources !== null) await services.sources.registry.check(sources, search);
  const use = {
    contentSha256: check.content.sha256,
    sheet: check.form.sheet,
    operations: check.form.operations,
    columnMap: usedColumns(check.form),
    sources: searchesAds ? (sources ?? []) : [],
    search,
  };
  const [remembered, earlier, hitRates, { balanceMicro }] = await Promise.all([
    services.batches.savedMappings.findColumns(accountId, check.form.header),
    services.batches.savedMappings.findEarlier(accountId, use),
    services.batches.savedMappings.readHitRates(accountId, sources ?? []),
    services.credits.ledger.readBalance(accountId),
  ]);
  const maxCreditsMicro = wanted.maxCredits === null ? null : microOf(wanted.maxCredits);
  return {
    check,
    data: { pricesMicro, hitRates, balanceMicro, maxCreditsMicro, remembered, earlier, sources },
  };
}

/** Finds the default sources. Null when none is configured: a check reports that, an upload is rejected. */
async function findDefaultSources({
  sources: { registry: sources },
}: App): Promise<readonly string[] | null> {
  try {
    return await sources.defaultNames();
  } catch (error) {
    if (error instanceof Misconfigured) return null;
    throw error;
  }
}
