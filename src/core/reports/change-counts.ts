/** Kinds of changes that a report lists; a baseline is none. */
export type ChangeKind = 'new' | 'reactivated' | 'changed' | 'ended';

/** Number of changes by kind. */
export type ChangeCounts = Readonly<Record<ChangeKind, number>>;
