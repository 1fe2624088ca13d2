import type { SearchOptions } from '../../core/ads/ads-answer.ts';
import type { SourcePrices } from '../../core/sources/source-bill.ts';
import { assertSpendable, type Spend } from '../../core/sources/spend.ts';
import type { SourceCatalog } from '../../sources/registry.ts';
import type { SourceRegistry } from './source-registry.ts';

/** Checks before a batch searches sources. */
export interface SearchPreparation {
  /**
   * Rejects a bound of cost that the prices of the sources do not allow; nothing passes.
   *
   * @param where option or field of the bound, for the error.
   * @throws ValidationError naming the source and the remedy.
   */
  readonly checkSpend: (
    spend: Spend | null | undefined,
    sources: readonly string[],
    where: string,
  ) => Promise<void>;
  /**
   * Checks the sources of a new batch and opens them, so that one without its configuration fails before rows are stored, and the sample is
   * loaded.
   *
   * @param bound the bound of cost, with its option or field for the error; see `checkSpend`.
   * @throws any error that prevents the search.
   */
  readonly prepareSearch: (
    sources: readonly string[],
    search: SearchOptions,
    bound: { readonly spend: Spend | null | undefined; readonly where: string },
  ) => Promise<void>;
}

/** Services that the checks read. */
export interface PreparationOptions {
  readonly catalog: SourceCatalog;
  readonly prices: Pick<SourcePrices, 'list'>;
  readonly registry: Pick<SourceRegistry, 'check' | 'named'>;
}

/** Creates the checks of the searched sources. */
export function createSearchPreparation({
  catalog,
  prices,
  registry,
}: PreparationOptions): SearchPreparation {
  const checkSpend: SearchPreparation['checkSpend'] = async (spend, sources, where) => {
    if (spend === undefined || spend === null) return;
    const charging = sources.filter((name) => (catalog.findLive(name)?.price ?? null) !== null);
    assertSpendable(spend, charging, await prices.list(), where);
  };
  return {
    checkSpend,
    async prepareSearch(sources, search, { spend, where }) {
      await registry.check(sources, search);
      await checkSpend(spend, sources, where);
      await registry.named(sources);
    },
  };
}
