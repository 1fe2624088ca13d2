import type { PauseKind } from './pause.ts';

/**
 * Causes for which work waits: `rate_limit` (of the source), `pace` (the configured rate), `circuit_breaker` (the source fails),
 * `day_calls` and `day_spend` (caps per day), `account_day_calls` (cap of the account per day), `batch_spend` (cap of the batch),
 * `account_limit` (of the account at the source), `credential` and `rejections` (the source rejects the key, or every request),
 * `block` (a captcha), `credits` (of the account), `archive` (calls cannot be recorded there).
 */
export const waitCauses = [
  'rate_limit',
  'pace',
  'circuit_breaker',
  'day_calls',
  'day_spend',
  'account_day_calls',
  'batch_spend',
  'account_limit',
  'credential',
  'rejections',
  'block',
  'credits',
  'archive',
] as const;
export type WaitCause = (typeof waitCauses)[number];

/** Reason why a source is not called, in plain words, and the duration. */
export interface Pause {
  readonly kind: PauseKind;
  readonly reason: string;
  readonly delayMs: number;
  /** Cause where the kind does not determine it, and its limit. */
  readonly cause?: WaitCause;
  readonly bound?: string;
}

/** Cause and end of a wait. */
export interface Wait {
  /** Null if it is unknown, such as one that a newer release stored. */
  readonly cause: WaitCause | null;
  /** The limit with its unit, such as `5 USD` or `100 calls`; null without one. */
  readonly bound: string | null;
  /** Source for which the work waits; null if it is unknown, or if the cause is no source. */
  readonly source: string | null;
  readonly reason: string | null;
  readonly until: Date | null;
}

/** Delay of the calls to a source that is no pause: the lookups stay open, and their calls go out later. */
export interface Throttle {
  readonly cause: Extract<WaitCause, 'rate_limit' | 'pace'>;
  readonly bound: string | null;
  readonly reason: string | null;
  readonly delayMs: number;
}

const causeOfPause: Readonly<Record<PauseKind, WaitCause | null>> = {
  refused: 'credential',
  unpaid: 'account_limit',
  declined: 'rejections',
  blocked: 'block',
  budget: null,
  failing: 'circuit_breaker',
};

/** Cause of a pause: the stored one, else by the kind of the pause. Null for causes and kinds that this release does not know. */
export function waitCauseOf(stored: string | null, kind: string | null): WaitCause | null {
  const known = waitCauses.find((cause) => cause === stored);
  return known ?? Object.entries(causeOfPause).find(([each]) => each === kind)?.[1] ?? null;
}

const labels: Readonly<Record<WaitCause, string>> = {
  rate_limit: 'rate limit of the source',
  pace: 'configured pace',
  circuit_breaker: 'circuit breaker',
  day_calls: 'daily cap',
  day_spend: 'daily cap',
  account_day_calls: 'daily cap of the account',
  batch_spend: 'cap per batch',
  account_limit: 'limit of the account at the source',
  credential: 'credentials of the source',
  rejections: 'requests rejected',
  block: 'block by the source',
  credits: 'credits',
  archive: 'archive of calls',
};

/** Names a cause, with its limit, such as `daily cap of 5 USD`; null for an unknown cause. */
export function waitLabel({ cause, bound }: Pick<Wait, 'cause' | 'bound'>): string | null {
  if (cause === null) return null;
  return bound === null ? labels[cause] : `${labels[cause]} of ${bound}`;
}

/** Formats a wait, such as `waiting (daily cap of 5 USD): until 00:00 UTC`. A label with its limit replaces the reason. */
export function waitText(wait: Wait, now: Date): string {
  const label = waitLabel(wait);
  const details = [
    wait.bound === null || wait.cause === null ? wait.reason : null,
    wait.until === null ? null : `until ${untilText(wait.until, now)}`,
  ].filter((part) => part !== null);
  const head = label === null ? 'waiting' : `waiting (${label})`;
  return details.length === 0 ? head : `${head}: ${details.join(', ')}`;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Seconds only for a moment that is near, and the date only for one that is far. */
function untilText(until: Date, now: Date): string {
  const [day = '', time = ''] = until.toISOString().split('T');
  const leftMs = until.getTime() - now.getTime();
  if (leftMs <= 2 * minuteMs) return `${time.slice(0, 8)} UTC`;
  return leftMs <= dayMs ? `${time.slice(0, 5)} UTC` : `${day} ${time.slice(0, 5)} UTC`;
}
