import type { WaitCause } from './wait-cause.ts';

/**
 * Reasons for which a source is not called. Only the operator can fix `refused` (it rejects the key), `unpaid` (it requires
 * payment) and `declined` (it rejects every lookup). The others pass: `blocked` (a captcha), `budget` (the budget of the day is
 * spent), `failing` (no readable answer, or a probe is running).
 */
export const pauseKinds = ['refused', 'unpaid', 'declined', 'blocked', 'budget', 'failing'] as const;
export type PauseKind = (typeof pauseKinds)[number];

/** Pauses that need an operator, who may request a probe at once. */
export const personalPauseKinds = ['refused', 'unpaid', 'declined'] as const satisfies readonly PauseKind[];

/** Reason why a source is not called, in plain words, and the duration. */
export interface Pause {
  readonly kind: PauseKind;
  readonly reason: string;
  readonly delayMs: number;
  /** Cause where the kind does not determine it, and its limit. */
  readonly cause?: WaitCause;
  readonly bound?: string;
}
