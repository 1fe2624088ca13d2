import type { AdsQuestion, LocalAdSource } from '../../core/sources/ad-source.ts';
import type { AdsAnswer, StoredAdvertiser } from '../../core/ads/ads-answer.ts';
import type {
  AdvertiserCandidates,
  CompanyKeys,
  SnapshotName,
  SnapshotStore,
} from '../../core/sources/snapshot-store.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import { registrableLabel } from '../../core/companies/company.ts';
import { nameFitsDomain } from '../../core/companies/name-fits-domain.ts';
import { compactKeys, nameKeys } from '../../core/companies/name-keys.ts';
import { assertShown } from './assert-shown.ts';

export interface SnapshotSourceOptions {
  readonly store: Pick<SnapshotStore, 'find' | 'findCandidates' | 'findShown'>;
  /** Also the source's name. */
  readonly name: SnapshotName;
  /** As `SnapshotStore.find` gives it. */
  readonly snapshotId: number;
}

/**
 * The ads of a local data set, which knows advertisers only by name. The advertisers of a company follow from the first rule
 * that finds any:
 *
 * 1. `mapping`: Google's advertisers that the operator has mapped (roles allow and agency). If none of them has an ad in the
 *    data set, the answer is `none`, which no other rule can give. Advertisers mapped as deny are excluded from the next rules.
 * 2. `domain_label`: the advertiser whose compact name is the label of the domain.
 * 3. `name`: all with the normalized name, disclosed or legal; beside a domain only if the name fits it (`nameFitsDomain`).
 *
 * Otherwise the answer is `no_match`, also if several advertisers share the label and no name distinguishes them: the source
 * never guesses.
 */
export function createSnapshotSource(options: SnapshotSourceOptions): LocalAdSource {
  const { store, name, snapshotId } = options;

  async function findAds(
    questions: readonly AdsQuestion[],
    signal: AbortSignal,
  ): Promise<readonly AdsAnswer[]> {
    signal.throwIfAborted();
    const candidates = await store.findCandidates(snapshotId, questions.map(keysOf));
    return limitToShown(options, questions, candidates.map(decide));
  }

  return { kind: 'local', name, ownMapping: googleMapping, findAds };
}

/**
 * Limits the answers to a search in a region or on a surface: an advertiser without an ad there is left out, and a company without any other has
 * no ads there.
 *
 * @throws ValidationError when the data set does not know where its ads were shown.
 */
async function limitToShown(
  { store, name }: SnapshotSourceOptions,
  questions: readonly AdsQuestion[],
  answers: readonly AdsAnswer[],
): Promise<readonly AdsAnswer[]> {
  // The options of a search are those of all its lookups.
  const { region = null, surface = null } = questions[0] ?? {};
  if (region === null && surface === null) return answers;
  const shownIn = { region, surface };
  assertShown(await store.find(name), name, shownIn);
  const keys = answers.flatMap((answer) =>
    answer.kind === 'stored' ? answer.advertisers.map(({ key }) => key) : [],
  );
  const shown = await store.findShown(name, keys, shownIn);
  return answers.map((answer) => {
    if (answer.kind !== 'stored') return answer;
    const advertisers = answer.advertisers.filter(({ key }) => shown.has(key));
    const { matchedBy } = answer;
    return advertisers.length === 0
      ? { kind: 'none' as const, matchedBy }
      : { ...answer, advertisers, shownIn };
  });
}

function keysOf({ company: { domain, name }, mapping }: AdsQuestion): CompanyKeys {
  const isNamed = name !== null && (domain === null || nameFitsDomain(name, domain));
  return {
    mapping: googleMapping(mapping),
    nameKeys: isNamed ? nameKeys(name) : [],
    labelKeys: domain === null ? [] : compactKeys(registrableLabel(domain)),
  };
}

function decide({ mapped, named, labelled }: AdvertiserCandidates): AdsAnswer {
  const chosen = mapped.filter((each) => each.role !== 'deny');
  if (chosen.length > 0) return chosenByOperator(chosen);
  const denied = new Set(mapped.map((each) => each.advertiserKey));
  const byLabel = labelled.filter((key) => !denied.has(key));
  if (byLabel.length === 1)
    return { kind: 'stored', advertisers: byLabel.map(own), matchedBy: 'domain_label' };
  const byName = named.filter((key) => !denied.has(key));
  if (byName.length > 0) return { kind: 'stored', advertisers: byName.map(own), matchedBy: 'name' };
  return { kind: 'no_match' };
}

function own(key: bigint): StoredAdvertiser {
  return { key, relation: 'own' };
}

function chosenByOperator(mapped: AdvertiserCandidates['mapped']): AdsAnswer {
  const advertisers = mapped.flatMap(({ role, advertiserKey: key }) =>
    key === null ? [] : [{ key, relation: role === 'agency' ? ('third_party' as const) : ('own' as const) }],
  );
  if (advertisers.length === 0) return { kind: 'none', matchedBy: 'mapping' };
  return { kind: 'stored', advertisers, matchedBy: 'mapping' };
}
