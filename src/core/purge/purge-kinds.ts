/**
 * Kinds of data with a retention of their own (docs/guides/retention.md). No two of them hold the same thing. `batches`: lists of
 * companies; `addresses`: lists with addresses, and single validations; `searches`: single searches; `scans`: what the scans of schedules
 * saw, and the history of removed schedules; `calls`: the record of calls to live sources; `raw_responses`: their responses, verbatim;
 * `events`: what webhooks were told.
 */
export const purgeKinds = [
  'batches',
  'addresses',
  'searches',
  'scans',
  'calls',
  'raw_responses',
  'events',
] as const;
export type PurgeKind = (typeof purgeKinds)[number];

/** Retention of each kind, in milliseconds; null: for ever. */
export type Retention = Readonly<Record<PurgeKind, number | null>>;

/** Nothing younger goes: answers that are kept for a repeat of a request, and whatever is still being settled, are younger. */
export const purgeAgeMsMin = 86_400_000;

/** Kinds that refer to ads: a purge of them may leave ads without a reference. */
const kindsWithAds: readonly PurgeKind[] = ['batches', 'addresses', 'searches', 'scans'];

/** True when a purge of the kind may leave ads without a reference. */
export function leavesAds(kind: PurgeKind): boolean {
  return kindsWithAds.includes(kind);
}
