/**
 * Kinds of data with their own retention (docs/guides/retention.md). They do not overlap. `batches`: batches of companies,
 * and the files of removed inboxes;
 * `addresses`: batches with addresses, and single validations; `searches`: single searches; `scans`: observations of schedules,
 * and the history of removed schedules; `calls`: the log of calls to live sources; `raw_responses`: their responses, verbatim;
 * `events`: events for webhooks.
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

/** Retention of each kind, in milliseconds; null: forever. */
export type Retention = Readonly<Record<PurgeKind, number | null>>;

/** Nothing younger is purged: stored responses for repeated requests, and everything that is still being settled, are younger. */
export const purgeAgeMsMin = 86_400_000;

/** Kinds that refer to ads: purging them may leave unreferenced ads. */
const kindsWithAds: readonly PurgeKind[] = ['batches', 'addresses', 'searches', 'scans'];

/** True when purging the kind may leave unreferenced ads. */
export function leavesAds(kind: PurgeKind): boolean {
  return kindsWithAds.includes(kind);
}
