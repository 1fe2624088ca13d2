/** Kinds of change of an ad between two scans (docs/architecture/concepts.md). All except `baseline` raise events. */
export const changeKinds = ['baseline', 'new', 'reactivated', 'ended', 'changed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/**
 * Reason of a change. Of a baseline: the ad was part of the first observation of its company (`first_scan`), earlier
 * observations may have missed it (`missed_earlier`), or it stopped running long ago (`long_ago`). Of an end: consecutive
 * complete observations did not contain it (`not_seen`), or its own source last saw it long ago (`last_seen_long_ago`). Other
 * kinds have no reason.
 */
export const changeReasons = [
  'first_scan',
  'missed_earlier',
  'long_ago',
  'not_seen',
  'last_seen_long_ago',
] as const;
export type ChangeReason = (typeof changeReasons)[number];

/** A change of one ad of one company. */
export interface AdChange {
  readonly adId: bigint;
  readonly kind: ChangeKind;
  readonly reason: ChangeReason | null;
  /** Version of the ad; for an ended ad the last one. */
  readonly versionId: bigint;
  /** Version before the change, for a changed ad. */
  readonly versionBefore: bigint | null;
  /** True when the ad runs after the change. */
  readonly isActive: boolean;
  /**
   * Days, `YYYY-MM-DD`: the first known day of an ad that started to run; the last known day of an ad that does not run. Null
   * if the change says nothing about it.
   */
  readonly ranFrom: string | null;
  readonly ranTo: string | null;
  /**
   * The scans on which the change is based, oldest first: for an ad that ended unseen, those that missed it; otherwise the scan
   * that reports it.
   */
  readonly restsOn: readonly bigint[];
}
