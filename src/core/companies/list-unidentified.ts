import type { AdvertiserCandidateStore, UncertainAdvertiser } from './advertiser-candidates.ts';
import { suggestionsMax, type AdvertiserSuggestions, type LocalDataSet } from './advertiser-suggestions.ts';
import type { UnidentifiedCompany, UnidentifiedStore, UnidentifiedWanted } from './unidentified.ts';

/** Ports that list companies with their candidates. */
export interface UnidentifiedOptions {
  readonly unidentified: UnidentifiedStore;
  readonly candidates: Pick<AdvertiserCandidateStore, 'listOf'>;
  readonly suggestions: AdvertiserSuggestions;
}

/** Batch whose companies are listed. */
export interface UnidentifiedBatch {
  readonly accountId: number;
  readonly batchId: number;
  /** Names of the sources of the batch. */
  readonly sources: readonly string[];
}

/** A possible advertiser with the source or data set that names it. */
export interface NamedCandidate extends UncertainAdvertiser {
  readonly source: string;
}

/** A company with the advertisers that it may be, the most likely first, without those that it is mapped to. */
export interface CompanyWithCandidates extends UnidentifiedCompany {
  readonly candidates: readonly NamedCandidate[];
}

/**
 * Lists companies of a batch that no source has identified, each with up to `suggestionsMax` candidates: those that its lookups reported, then
 * those of the local data set. Calls no source and costs nothing.
 */
export async function listUnidentified(
  { unidentified, candidates, suggestions }: UnidentifiedOptions,
  { accountId, batchId, sources }: UnidentifiedBatch,
  wanted: UnidentifiedWanted,
): Promise<readonly CompanyWithCandidates[]> {
  const companies = await unidentified.list(batchId, wanted);
  const dataSet: LocalDataSet = sources.includes('sample') ? 'sample' : 'snapshot';
  const [reported, suggested] = await Promise.all([
    candidates.listOf(
      accountId,
      companies.map(({ companyKey }) => companyKey),
    ),
    suggestions.suggest(companies, dataSet),
  ]);
  return companies.map((company, i) => {
    const known = reported.get(company.companyKey) ?? [];
    const local = (suggested[i] ?? []).map((each) => ({ ...each, source: dataSet }));
    return { ...company, candidates: mostLikely(company, [...known, ...local]) };
  });
}

/** The first report of an advertiser counts. */
function mostLikely(
  { mapping }: UnidentifiedCompany,
  candidates: readonly NamedCandidate[],
): readonly NamedCandidate[] {
  const taken = new Set(mapping.map(({ advertiserId }) => advertiserId));
  const distinct = candidates.filter(({ advertiserId }) => {
    const isNew = !taken.has(advertiserId);
    taken.add(advertiserId);
    return isNew;
  });
  return distinct.toSorted((one, other) => other.confidence - one.confidence).slice(0, suggestionsMax);
}
