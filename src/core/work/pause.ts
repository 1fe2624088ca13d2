/**
 * Reasons for which a source is not called. Only the operator can fix `refused` (it rejects the key), `unpaid` (it requires
 * payment) and `declined` (it rejects every lookup). The others pass: `blocked` (a captcha), `budget` (the budget of the day is
 * spent), `failing` (no readable answer, or a probe is running).
 */
export const pauseKinds = ['refused', 'unpaid', 'declined', 'blocked', 'budget', 'failing'] as const;
export type PauseKind = (typeof pauseKinds)[number];

/** Pauses that need an operator, who may request a probe at once. */
export const personalPauseKinds = ['refused', 'unpaid', 'declined'] as const satisfies readonly PauseKind[];
