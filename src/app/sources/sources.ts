import { createAdvertiserCandidateStore } from '../../../db/stores/ads/advertiser-candidates.ts';
import { createCompanyMappingStore } from '../../../db/stores/ads/company-mapping.ts';
import { createUnidentifiedStore } from '../../../db/stores/ads/unidentified.ts';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import { readInstallation } from '../../../db/stores/accounts/installation.ts';
import { createSourceBill } from '../../../db/stores/sources/source-bill.ts';
import { createSourceChecks, type SourceChecks } from '../../../db/stores/sources/source-checks.ts';
import { createSourcePrices } from '../../../db/stores/sources/source-prices.ts';
import type { AdvertiserCandidateStore } from '../../core/companies/advertiser-candidates.ts';
import type { AdvertiserSuggestions } from '../../core/companies/advertiser-suggestions.ts';
import type { CompanyMappingStore } from '../../core/companies/company-mapping.ts';
import type { UnidentifiedStore } from '../../core/companies/unidentified.ts';
import type { SnapshotStore } from '../../core/sources/snapshot-store.ts';
import type { SourceBill, SourcePrices } from '../../core/sources/source-bill.ts';
import type { SourcePace } from '../../core/sources/source-call.ts';
import { createAdvertiserSuggestions } from '../../sources/snapshot/suggest-advertisers.ts';
import { openHttpLazily } from '../lazy.ts';
import { pacesOf } from './live-sources.ts';
import { createSearchPreparation, type SearchPreparation } from './prepare-search.ts';
import { createSampleDays, type SampleDays } from './sample-days.ts';
import { listSearchedAdvertisers, type MappedBatch } from './searched-advertisers.ts';
import { createSourceRegistry, type SourceRegistry } from './source-registry.ts';
import { readSourceStates, type SourceState } from './source-states.ts';
import { addVendorPrices } from './vendor-prices.ts';
import type { Wiring } from '../wiring.ts';

/** Services of ad sources, the snapshot, company mappings, and the costs of calls. */
export interface SourceServices extends SearchPreparation {
  readonly registry: SourceRegistry;
  readonly snapshots: SnapshotStore;
  readonly sample: SampleDays;
  readonly companies: CompanyMappingStore;
  readonly candidates: AdvertiserCandidateStore;
  readonly suggestions: AdvertiserSuggestions;
  readonly unidentified: UnidentifiedStore;
  /** See `listSearchedAdvertisers`. */
  readonly listSearched: (batch: MappedBatch) => Promise<readonly string[]>;
  readonly bill: SourceBill;
  readonly prices: SourcePrices;
  readonly checks: SourceChecks;
  /** The configured rate limits, by source. */
  readonly paces: ReadonlyMap<string, SourcePace>;
  /** Reads the states of all sources. @throws DatabaseUnavailable */
  readonly states: () => Promise<readonly SourceState[]>;
  /** Id of this installation, for other servers. */
  readonly installation: string;
}

/** @throws DatabaseUnavailable */
export async function wireSources({ config, closers, servers, onProgress }: Wiring): Promise<SourceServices> {
  const db = servers.database.sql;
  const { access, catalog, sources: configured } = config;
  const snapshots = createSnapshotStore(
    { ...servers.database, pool: servers.sessions.pool },
    servers.requestDatabase.sql,
  );
  const [installation] = await Promise.all([readInstallation(db), addVendorPrices(db)]);
  const sample = createSampleDays({
    snapshots,
    onLoad: () => onProgress('Loading the bundled, generated sample ads'),
  });
  const http = openHttpLazily(config, closers);
  const prices = createSourcePrices(db);
  const checks = createSourceChecks(db);
  const options = { snapshots, catalog, configured, access, http, installation, sample };
  const registry = createSourceRegistry(options);
  const unidentified = createUnidentifiedStore(db);
  return {
    registry,
    snapshots,
    sample,
    companies: createCompanyMappingStore(db, servers.requestDatabase.sql),
    candidates: createAdvertiserCandidateStore(db),
    suggestions: createAdvertiserSuggestions(snapshots),
    unidentified,
    listSearched: (batch) => listSearchedAdvertisers({ registry, unidentified }, batch),
    bill: createSourceBill(db),
    prices,
    checks,
    states: () => readSourceStates(db, { catalog, access, registry, prices, checks }),
    paces: pacesOf(access),
    ...createSearchPreparation({ catalog, prices, registry }),
    installation,
  };
}
