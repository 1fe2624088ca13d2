// Every retry and backoff rule is a constant here: the failure, the numbers, their reason, and their origin. `npm run docs` writes
// docs/architecture/retries.md from the comments. A test keeps such numbers out of other modules.

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Delays that grow from one failure to the next. */
export interface Backoff {
  /** Delay after the first failure; milliseconds. */
  readonly initialDelayMs: number;
  /** Factor from one delay to the next. */
  readonly backoffCoefficient: number;
  /** Upper bound of the delay; milliseconds. */
  readonly delayMsMax: number;
}

/** Computes the delay after a failure that `failures` others preceded, in milliseconds. */
export function backoffMs(
  { initialDelayMs, backoffCoefficient, delayMsMax }: Backoff,
  failures: number,
): number {
  return Math.min(delayMsMax, initialDelayMs * backoffCoefficient ** failures);
}

/**
 * A source gives a lookup no answer.
 *
 * The delay is random below its bound, so that lookups that failed together do not return together. The last failure ends the lookup as
 * failed. Adapters never retry, so failures do not multiply.
 *
 * Origin: full jitter of "Exponential Backoff and Jitter" (AWS Architecture Blog); the numbers are our choice.
 */
export const sourceFailure = {
  initialDelayMs: secondMs,
  backoffCoefficient: 4,
  delayMsMax: 5 * minuteMs,
  triesMax: 5,
} as const satisfies Backoff & { triesMax: number };

/** Computes the delay of a lookup after a failure of its source. `tries`: its earlier failures; `random`: from 0 to below 1. */
export function sourceFailureDelayMs(tries: number, random: number): number {
  return random * backoffMs(sourceFailure, tries);
}

/**
 * A source answers 429 without a time.
 *
 * The delay moves the rate limit of the credential, so all processes wait. It counts as no try of the lookup, because the source works.
 * The wait budget of the caller ends the retries.
 *
 * Origin: RFC 6585 §4 leaves the delay to the client; the numbers are our choice.
 */
export const throttling = {
  initialDelayMs: secondMs,
  backoffCoefficient: 2,
  delayMsMax: minuteMs,
} as const satisfies Backoff;

/**
 * A server names the delay itself, in `Retry-After` or in its rate limit headers.
 *
 * The bound keeps a typing error of a vendor, such as a year, from stopping a source.
 *
 * Origin: RFC 9110 §10.2.3; the bound is our choice.
 */
export const namedDelay = { delayMsMax: hourMs } as const;

/**
 * A source fails for every company: it is down, its replies cannot be parsed, or it rejects every call.
 *
 * The circuit breaker opens after `unansweredMax` calls in a row without an answer, `unreadableMax` unreadable replies in a row,
 * `rejectedMax` equal rejections in a row, or more than `failingShare` failures of the last `callsKept` calls. A rejection of a call for
 * many companies counts for all of them (`rejectedTogetherMax`). Each time the breaker opens again, the delay grows. While one call probes
 * the source, the others wait `probeDelayMs`. A failure after `quietMs` without one counts as the first. After `unansweredMs` without an
 * answer the breaker stays closed, so that lookups end. `NIGHTSHIFT_SOURCE_WAIT_SECONDS` replaces the first delay.
 *
 * Origin: the pattern "Circuit Breaker" (Azure Architecture Center); the numbers are our choice.
 */
export const circuitBreaker = {
  initialDelayMs: minuteMs,
  backoffCoefficient: 2,
  delayMsMax: 15 * minuteMs,
  unansweredMax: 10,
  unreadableMax: 3,
  rejectedMax: 3,
  rejectedTogetherMax: 1,
  callsKept: 20,
  failingShare: 0.5,
  probeDelayMs: secondMs,
  quietMs: hourMs,
  unansweredMs: dayMs,
} as const satisfies Backoff & Readonly<Record<string, number>>;

/**
 * The public site of the source `transparency` shows its page for robots.
 *
 * Blocks cleared within 5 to 10 minutes in recorded replies. A call during a block may prolong it, so the delay is longer.
 *
 * Origin: measured.
 */
export const captchaBlock = { delayMs: 30 * minuteMs } as const;

/**
 * A quota of BigQuery is used up.
 *
 * Earlier calls fail and count against the next window.
 *
 * Origin: "Troubleshoot quota and limit errors" (Google Cloud) advises ten minutes or longer.
 */
export const bigQueryQuota = { delayMs: 10 * minuteMs } as const;

/**
 * A query of BigQuery still runs when the source polls for its result.
 *
 * Most queries end within a second; the deadline of the call ends the retries.
 *
 * Origin: our choice.
 */
export const bigQueryPoll = {
  initialDelayMs: secondMs / 4,
  backoffCoefficient: 2,
  delayMsMax: 5 * secondMs,
} as const satisfies Backoff;

/**
 * A worker dies, and the lease of its chunk expires.
 *
 * The chunk starts again at once. After `startsTogetherMax` starts its lookups run apart, so that one that kills workers does not take
 * others along. After `startsAloneMax` starts a lookup alone ends as `dead_letter`: more than one, because killed workers also cost starts.
 *
 * Origin: maximum receives of a dead-letter queue (Amazon SQS); the numbers are our choice.
 */
export const unfinishedChunk = { startsTogetherMax: 2, startsAloneMax: 5 } as const;

/**
 * The database or the queue is unavailable while a chunk runs, or when a worker asks for a job.
 *
 * The start of the chunk does not count: its worker releases it when the database is there again, and a dispatcher that was cut off, too, rescues
 * chunks `rescueAfterMs` later. A chunk that was in work at `outagesMax` outages may be their cause: further starts count.
 *
 * Origin: our choice.
 */
export const serverOutage = { delayMs: secondMs, rescueAfterMs: 2 * secondMs, outagesMax: 20 } as const;

/**
 * A round of the dispatcher fails.
 *
 * The delay is shorter than a lease, so the next round still rescues in time, and long enough to spare a server that starts.
 *
 * Origin: our choice.
 */
export const dispatcherFailure = { delayMs: secondMs / 2 } as const;

/**
 * A job of BullMQ fails.
 *
 * BullMQ runs each job once. Postgres counts the starts and enqueues the next job, so that a lost queue loses no count.
 *
 * Origin: our choice (docs/architecture/decisions/0003-postgres-is-the-record.md).
 */
export const queueJob = { attemptsMax: 1 } as const;

/**
 * The process that holds a recheck of a mailbox ends before it settles it.
 *
 * The lease is longer than any session with a mail server and the wait for one. Once `giveUpMs` have passed since its lookup, the recheck
 * is dropped; the next request for the address makes its own.
 *
 * Origin: our choice.
 */
export const recheck = { leaseMs: 5 * minuteMs, giveUpMs: dayMs } as const;

/**
 * A mail server puts a recipient off (greylisting).
 *
 * postgrey accepts after 5 minutes, other servers after up to an hour. `NIGHTSHIFT_PROBE_RETRY_MINUTES` replaces the list.
 *
 * Origin: RFC 5321 §4.5.4.1 asks for 30 minutes between attempts; the manual of postgrey.
 */
export const greylisting = { delaysMs: [6 * minuteMs, 20 * minuteMs, hourMs] } as const;

/**
 * The mail servers of a provider reject probes from this address.
 *
 * More probes would worsen the reputation of the address.
 *
 * Origin: our choice; providers speak of hours.
 */
export const probeRejection = { delayMs: 6 * hourMs } as const;

/**
 * A domain name server or a mail server is unavailable for an address of a batch.
 *
 * The chunk returns when the first server is due, within these bounds. DNS gets one retry, because resolvers retry by themselves; then the
 * verdict is `unknown`.
 *
 * Origin: our choice.
 */
export const addressWait = { delayMsMin: secondMs, delayMsMax: hourMs, dnsRetriesMax: 1 } as const;

/**
 * A domain name server gives no answer.
 *
 * UDP loses packets. The first try takes a third of the deadline, the second one the rest.
 *
 * Origin: RFC 1035 §4.2.1.
 */
export const dnsQuery = { triesMax: 2 } as const;

/**
 * A scan of a schedule cannot begin.
 *
 * The cause is a limit of the account or a missing setting. After `giveUpMs` the scan is recorded as missed, and the account receives an
 * event.
 *
 * Origin: our choice.
 */
export const scanStart = {
  initialDelayMs: 30 * secondMs,
  backoffCoefficient: 2,
  delayMsMax: 5 * minuteMs,
  giveUpMs: hourMs,
} as const satisfies Backoff & { giveUpMs: number };

/** Shared by both rules of inboxes. */
const placeBackoff = { initialDelayMs: 30 * secondMs, backoffCoefficient: 2, delayMsMax: 15 * minuteMs };

/**
 * The location of an inbox does not answer.
 *
 * After `failuresToReport` failed looks in a row the account receives an event. A location that rejects the credentials is reported at once,
 * and only the pattern of the inbox repeats the look, because a person has to act.
 *
 * Origin: our choice.
 */
export const inboxPoll = { ...placeBackoff, failuresToReport: 3 } as const;

/**
 * A file of an inbox cannot be loaded for an unexpected reason, or the process that loads it dies.
 *
 * After `attemptsMax` loads the file counts as failed, so that a file that kills processes does not hold up the others.
 *
 * Origin: maximum receives of a dead-letter queue (Amazon SQS); the numbers are our choice, higher than those of a chunk because a restart
 * in the middle of a long load costs one, too.
 */
export const inboxFileLoad = { ...placeBackoff, attemptsMax: 10 } as const;

/**
 * A webhook, Slack, or a mail server does not accept an event, or a destination does not accept a landing.
 *
 * Together the delays outlast a weekend without an operator. Each delay is up to `jitterRatio` shorter or longer, so that entries that
 * failed together do not return together. After the last delay the entry is dead.
 *
 * Origin: the schedule of Standard Webhooks 1.0, "Retries"; the jitter is our choice.
 */
export const outboxEntry = {
  delaysMs: [
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
  ],
  jitterRatio: 0.2,
} as const;

/**
 * Computes the delay of an entry of an outbox after a failed attempt, in milliseconds; null after the last attempt. A longer delay that the receiver
 * names replaces it. `attempt` counts from 1; `random` is from 0 to below 1.
 */
export function outboxDelayMs(attempt: number, retryAfterMs: number | null, random: number): number | null {
  const { delaysMs, jitterRatio } = outboxEntry;
  const delayMs = delaysMs[attempt - 1];
  if (delayMs === undefined) return null;
  return Math.max(Math.round(delayMs * (1 - jitterRatio + 2 * jitterRatio * random)), retryAfterMs ?? 0);
}

/**
 * Two processes that migrate two databases of one server change the same role.
 *
 * The loser's transaction is rolled back, so it repeats at once. Each repeat needs another conflict, so few suffice.
 *
 * Origin: our choice.
 */
export const migrationConflict = { triesMax: 10 } as const;

/**
 * The private Postgres server cannot start, because backends of an earlier server still run or another process took its port.
 *
 * Backends of a killed server end when their query ends.
 *
 * Origin: our choice.
 */
export const privateServerStart = { delayMs: secondMs / 10, giveUpMs: 30 * secondMs } as const;

/**
 * A folder that a killed process left behind is not empty yet.
 *
 * An `initdb` of that process may still write to it.
 *
 * Origin: our choice.
 */
export const leftoverRemoval = { retriesMax: 5, delayMs: 50 } as const;

/**
 * A cancelled query still runs.
 *
 * A cancel that arrives between two statements has no effect.
 *
 * Origin: our choice; "Canceling Requests in Progress" (PostgreSQL documentation).
 */
export const queryCancel = { delayMs: secondMs / 5 } as const;

/**
 * An account has as much under way as it may have.
 *
 * Batches end within minutes, not seconds.
 *
 * Origin: our choice.
 */
export const accountLimit = { delayMs: minuteMs } as const;

/**
 * The API answers 429 or 503 and knows no time at which a retry can succeed.
 *
 * A server of ours restarts within seconds. A full backlog of uploads takes a minute to shrink.
 *
 * Origin: RFC 9110 §10.2.3; the numbers are our choice.
 */
export const apiRetryAfter = { seconds: 5, backlogSeconds: 60 } as const;

/**
 * The archive does not take the record of a call, or a file of WAL.
 *
 * The calls of its source wait: what is not recorded there would be paid for again after a restore. So does a backup that is due: it would need
 * the WAL.
 *
 * Origin: our choice.
 */
export const archiveUnavailable = { delayMs: 10 * secondMs } as const;

/**
 * The console loses its event stream or its server.
 *
 * A stream that delivered events returns after a second. A server that gives no answer gets more time, a second more after each failure.
 *
 * Origin: our choice.
 */
export const consoleReconnect = { initialDelayMs: secondMs, delayMsMax: 4 * secondMs } as const;
