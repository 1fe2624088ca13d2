import type { AdsAnswer, LocalAdSource } from '../../../core/ads/ad-source.ts';
import type {
  AdvertiserCandidates,
  CompanyKeys,
  SnapshotName,
  SnapshotStore,
} from '../../../core/ads/snapshot-store.ts';
import { registrableLabel } from '../../../core/company.ts';
import type { CompanyQuery } from '../../../core/company.ts';
import { compactKeys, nameKeys } from '../../../core/name-keys.ts';

export interface SnapshotSourceOptions {
  readonly store: Pick<SnapshotStore, 'findCandidates'>;
  /** Also the source's name. */
  readonly name: SnapshotName;
  /** As `SnapshotStore.find` gives it. */
  readonly snapshotId: number;
  /** The account whose mapping of companies to advertisers holds. */
  readonly accountId: number;
}

/**
 * The ads of a local data set, whose rows know advertisers by name only. A company's advertisers are, by the first rule that
 * gives any:
 *
 * 1. `mapping`: those the operator has mapped it to (roles allow and agency); where none of them has an ad here, the answer is
 *    `none`, which no other rule can tell. Those mapped as deny are left out of the next rules too;
 * 2. `name`: all that have its normalised name, disclosed or legal;
 * 3. `domain_label`: the one whose name, written without spaces, is the label of its domain.
 *
 * Otherwise `no_match`, also where several advertisers share the label: nothing is ever guessed.
 */
export function createSnapshotSource(options: SnapshotSourceOptions): LocalAdSource {
  const { store, name, snapshotId, accountId } = options;

  async function findAds(
    companies: readonly CompanyQuery[],
    signal: AbortSignal,
  ): Promise<readonly AdsAnswer[]> {
    signal.throwIfAborted();
    const candidates = await store.findCandidates({ snapshotId, accountId }, companies.map(keysOf));
    return candidates.map(decide);
  }

  return { kind: 'local', name, snapshotId, findAds };
}

function keysOf({ key, domain, name }: CompanyQuery): CompanyKeys {
  return {
    companyKey: key,
    nameKeys: name === null ? [] : nameKeys(name),
    labelKeys: domain === null ? [] : compactKeys(registrableLabel(domain)),
  };
}

function decide({ mapped, named, labelled }: AdvertiserCandidates): AdsAnswer {
  const chosen = mapped.filter((each) => each.role !== 'deny');
  if (chosen.length > 0) return chosenByOperator(chosen.flatMap((each) => each.advertiserKey ?? []));
  const denied = new Set(mapped.map((each) => each.advertiserKey));
  const byName = named.filter((key) => !denied.has(key));
  if (byName.length > 0) return { kind: 'stored', advertiserKeys: byName, matchedBy: 'name' };
  const byLabel = labelled.filter((key) => !denied.has(key));
  if (byLabel.length === 1) return { kind: 'stored', advertiserKeys: byLabel, matchedBy: 'domain_label' };
  return { kind: 'no_match' };
}

function chosenByOperator(advertiserKeys: readonly bigint[]): AdsAnswer {
  if (advertiserKeys.length === 0) return { kind: 'none', matchedBy: 'mapping' };
  return { kind: 'stored', advertiserKeys, matchedBy: 'mapping' };
}
