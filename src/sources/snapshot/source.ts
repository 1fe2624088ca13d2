import type { AdsQuestion, LocalAdSource } from '../../core/sources/ad-source.ts';
import type { AdsAnswer } from '../../core/ads/ads-answer.ts';
import type {
  AdvertiserCandidates,
  CompanyKeys,
  SnapshotName,
  SnapshotStore,
} from '../../core/sources/snapshot-store.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import type { CompanyProfile } from '../../core/companies/match/company-profile.ts';
import { askedCompany, type AskedCompany } from './asked-company.ts';
import { assertShown } from './assert-shown.ts';
import { evaluateAdvertisers } from './evaluate-advertisers.ts';

export interface SnapshotSourceOptions {
  readonly store: Pick<SnapshotStore, 'find' | 'findCandidates' | 'findShown'>;
  /** Also the source's name. */
  readonly name: SnapshotName;
  /** As `SnapshotStore.find` gives it. */
  readonly snapshotId: number;
}

/**
 * The ads of a local data set, which knows advertisers only by name and country. The advertisers of a company follow from the first rule
 * that finds any:
 *
 * 1. `mapping`: Google's advertisers that the operator has mapped (roles allow and agency). If none of them has an ad in the
 *    data set, the answer is `none`, which no other rule can give. Advertisers mapped as deny are excluded from the next rule.
 * 2. Those that share a word with the company and are evaluated as its own (`evaluateAdvertiser`): `domain_label` if the label of its domain is
 *    in the name of one of them, else `name`. The name beside a domain counts only if it fits it (`nameFitsDomain`).
 *
 * Otherwise the answer is `no_match`. Advertisers that may belong to the company are candidates: the source never guesses.
 */
export function createSnapshotSource(options: SnapshotSourceOptions): LocalAdSource {
  const { store, name, snapshotId } = options;

  async function findAds(
    questions: readonly AdsQuestion[],
    signal: AbortSignal,
  ): Promise<readonly AdsAnswer[]> {
    signal.throwIfAborted();
    const asked = questions.map(askedOf);
    const keys = questions.map((question, i) => keysOf(question, asked[i] ?? null));
    const candidates = await store.findCandidates(snapshotId, keys);
    const answers = candidates.map((found, i) => decide(found, asked[i]?.profile ?? null));
    return limitToShown(options, questions, answers);
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
    const { matchedBy, candidates = [] } = answer;
    return advertisers.length === 0
      ? { kind: 'none' as const, matchedBy, candidates }
      : { ...answer, advertisers, shownIn };
  });
}

/** The company, prepared for comparing; null if its advertisers are mapped. */
function askedOf({ company, mapping }: AdsQuestion): AskedCompany | null {
  return googleMapping(mapping).some(({ role }) => role !== 'deny') ? null : askedCompany(company);
}

function keysOf({ mapping }: AdsQuestion, asked: AskedCompany | null): CompanyKeys {
  const { words = [], nameKeys = [], labelKeys = [] } = asked ?? {};
  return { mapping: googleMapping(mapping), words, nameKeys, labelKeys };
}

function decide(
  { mapped, advertisers, isBounded }: AdvertiserCandidates,
  profile: CompanyProfile | null,
): AdsAnswer {
  if (profile === null) return chosenByOperator(mapped.filter((each) => each.role !== 'deny'));
  const denied = new Set(mapped.map((each) => each.advertiserKey));
  const evaluated = evaluateAdvertisers(
    profile,
    advertisers.filter(({ key }) => !denied.has(key)),
  );
  const { own, candidates } = evaluated;
  if (own.length === 0)
    return candidates.length === 0 ? { kind: 'no_match' } : { kind: 'no_match', candidates };
  return {
    kind: 'stored',
    advertisers: own.map(({ key, match }) => ({ key, relation: 'own', match })),
    matchedBy: evaluated.isByLabel ? 'domain_label' : 'name',
    candidates,
    isBounded,
  };
}

function chosenByOperator(mapped: AdvertiserCandidates['mapped']): AdsAnswer {
  const advertisers = mapped.flatMap(({ role, advertiserKey: key }) =>
    key === null ? [] : [{ key, relation: role === 'agency' ? ('third_party' as const) : ('own' as const) }],
  );
  if (advertisers.length === 0) return { kind: 'none', matchedBy: 'mapping' };
  return { kind: 'stored', advertisers, matchedBy: 'mapping' };
}
