/**
 * Reasons for which a source is not called. Only the operator can fix `refused` (it refuses our key), `unpaid` (it wants to be paid) and
 * `declined` (it declines every question). The others pass: `blocked` (a captcha), `budget` (the budget of the day is spent), `failing` (no
 * readable answer, or a trial after a pause).
 */
export const pauseKinds = ['refused', 'unpaid', 'declined', 'blocked', 'budget', 'failing'] as const;
export type PauseKind = (typeof pauseKinds)[number];

/** Pauses that need a person, who may order a trial at once. */
export const personalPauseKinds = ['refused', 'unpaid', 'declined'] as const satisfies readonly PauseKind[];

/** Why a source is not asked, in plain words, and for how long. */
export interface Pause {
  readonly kind: PauseKind;
  readonly reason: string;
  readonly delayMs: number;
}
