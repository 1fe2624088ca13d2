import { failpoint } from '../failpoint.ts';
import { leavesAds, type PurgeKind, purgeKinds, type Retention } from './purge-kinds.ts';
import type { PurgeCounts, PurgedSpace, PurgeScope, PurgeStore, SweptAds } from './purge-store.ts';

/** A kind and its maximum age, in milliseconds. */
export interface PurgeOrder {
  readonly kind: PurgeKind;
  readonly ageMs: number;
}

export interface PurgeOptions {
  readonly orders: readonly PurgeOrder[];
  /** Default null: all accounts. */
  readonly accountId?: number | null;
  /** Maximum number of rounds per kind, and for the ads. Default: until nothing is left. */
  readonly roundsMax?: number;
  /** `when_needed` skips the removal of unreferenced ads, which reads whole tables, if no purged record had ads. Default `always`. */
  readonly sweeps?: 'always' | 'when_needed';
  /** Gives the space of the purged records back at the end. Default: the database reuses it. */
  readonly space?: PurgedSpace;
  /** Stops the purge between two rounds, with its reason. Finished rounds remain; another purge continues. */
  readonly signal?: AbortSignal;
}

/** Result of a purge, or of its dry run. */
export interface Purged {
  readonly kinds: readonly {
    readonly kind: PurgeKind;
    readonly before: Date;
    readonly counts: PurgeCounts;
  }[];
  /** Unreferenced ads; null if the kinds have no ads, or if no purged record had any. */
  readonly unseenAds: SweptAds | null;
  /** True when some ads could not be checked: the next purge tries again. */
  readonly adsLeft: boolean;
}

/** Counts what a purge would remove. Changes nothing. */
export async function countPurge(store: PurgeStore, options: PurgeOptions): Promise<Purged> {
  const scopes = await scopesOf(store, options);
  const kinds = [];
  for (const scope of scopes) kinds.push({ ...shown(scope), counts: await store.count(scope) });
  const withAds = scopes.filter(({ kind }) => leavesAds(kind));
  return {
    kinds,
    unseenAds: withAds.length === 0 ? null : await store.countUnseen(withAds),
    adsLeft: false,
  };
}

/** Purges everything beyond the maximum age of its kind, round by round. */
export async function purge(store: PurgeStore, options: PurgeOptions): Promise<Purged> {
  const scopes = await scopesOf(store, options);
  const kinds = [];
  for (const scope of scopes) kinds.push({ ...shown(scope), counts: await purgeKind(store, scope, options) });
  const wentWithAds = kinds.some(({ counts }) => (counts['ads'] ?? 0) > 0);
  const mayLeaveAds = scopes.some(({ kind }) => leavesAds(kind));
  const sweeps = options.sweeps === 'when_needed' ? wentWithAds : mayLeaveAds;
  const swept = sweeps ? await sweep(store, options) : { unseenAds: null, adsLeft: false };
  const gone = kinds.map(({ counts }) => counts).reduce(sum, { versions: swept.unseenAds?.versions ?? 0 });
  await options.space?.release(gone, options.signal);
  return { kinds, ...swept };
}

async function scopesOf(
  store: PurgeStore,
  { orders, accountId = null }: PurgeOptions,
): Promise<readonly PurgeScope[]> {
  const scopes: PurgeScope[] = [];
  for (const { kind, ageMs } of orders) {
    scopes.push({ kind, before: await store.momentAgo(ageMs), accountId });
  }
  return scopes;
}

function shown({ kind, before }: PurgeScope) {
  return { kind, before };
}

async function purgeKind(
  store: PurgeStore,
  scope: PurgeScope,
  { signal, roundsMax = Infinity }: PurgeOptions,
): Promise<PurgeCounts> {
  let counts: PurgeCounts = {};
  let next: string | null = null;
  for (let rounds = 0; rounds < roundsMax; rounds += 1) {
    signal?.throwIfAborted();
    const round = await store.purgeSome(scope, next);
    failpoint('purge:round-done');
    counts = sum(counts, round.counts);
    next = round.next;
    if (next === null) break;
  }
  failpoint('purge:kind-done');
  return counts;
}

async function sweep(store: PurgeStore, { signal, roundsMax = Infinity }: PurgeOptions) {
  let unseenAds: SweptAds = { versions: 0, ads: 0 };
  let misses = 0;
  for (let rounds = 0; rounds < roundsMax && misses < missesMax; rounds += 1) {
    signal?.throwIfAborted();
    const swept = await store.sweepSome();
    if (swept === null) {
      misses += 1;
      continue;
    }
    failpoint('purge:ads-swept');
    unseenAds = { versions: unseenAds.versions + swept.versions, ads: unseenAds.ads + swept.ads };
    if (swept.versions === 0) break;
  }
  return { unseenAds, adsLeft: misses === missesMax };
}

/** Each attempt waits a few seconds for transactions in progress. */
const missesMax = 3;

function sum(a: PurgeCounts, b: PurgeCounts): PurgeCounts {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

/** Rounds per kind and run: housekeeping runs every minute, and the dispatcher waits for it. */
const roundsMax = 5;

/** Purge orders of the settings, for kinds with a retention. */
export function ordersOf(retention: Retention): readonly PurgeOrder[] {
  return purgeKinds.flatMap((kind) => {
    const ageMs = retention[kind];
    return ageMs === null ? [] : [{ kind, ageMs }];
  });
}

/** Purges a bounded part of what exceeds the retention of the settings, and of the batches that people deleted. */
export async function keepRetention(store: PurgeStore, retention: Retention): Promise<void> {
  await store.purgeDeleted(roundsMax);
  await purge(store, { orders: ordersOf(retention), roundsMax, sweeps: 'when_needed' });
}
