/**
 * What keeps a source from being asked. Only the operator can mend that it refuses our key (`refused`), wants to be paid (`unpaid`), or
 * declines what we ask, whoever it is about (`declined`). The others pass: it has put up a wall; the budget of the day is spent; it gives
 * nobody an answer that can be read, or is being tried again after a pause.
 */
export const pauseKinds = ['refused', 'unpaid', 'declined', 'blocked', 'budget', 'failing'] as const;
export type PauseKind = (typeof pauseKinds)[number];

/** Those that ask for a person, who may have it tried at once. */
export const personalPauseKinds = ['refused', 'unpaid', 'declined'] as const satisfies readonly PauseKind[];

/** Why a source is not asked, in plain words, and for how long. */
export interface Pause {
  readonly kind: PauseKind;
  readonly reason: string;
  readonly delayMs: number;
}
