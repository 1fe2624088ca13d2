/** Kinds of change of an ad between two scans (docs/architecture/concepts.md). All except `baseline` raise events. */
export const changeKinds = ['baseline', 'new', 'reactivated', 'ended', 'changed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/**
 * Why it is said. Of a baseline: the ad came with the first look at its company (`first_scan`), ran before and was missed by earlier looks
 * (`missed_earlier`), or has not run for long (`long_ago`). Of an end: complete looks in a row did not contain it (`not_seen`), or its own
 * source last saw it long ago (`last_seen_long_ago`). The other kinds need none.
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
   * Days, `YYYY-MM-DD`: the first that the ad is known to have run, of one that runs now and was not known to; the last, of one that does
   * not. Null where the change says nothing about it.
   */
  readonly ranFrom: string | null;
  readonly ranTo: string | null;
  /** The scans that it rests on, the oldest first: of an ad that was not seen those that missed it, else the one that says so. */
  readonly restsOn: readonly bigint[];
}
