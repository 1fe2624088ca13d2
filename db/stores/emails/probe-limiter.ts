import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type {
  Denied,
  ProbeLimiter,
  RecipientPermit,
  RecipientRequest,
  SenderRejection,
  SessionLease,
} from '../../../src/core/emails/probing/probe-limiter.ts';
import { keepRenewing } from '../../../src/core/async/keep-renewing.ts';
import { probeRejection } from '../../../src/core/work/retry-policies.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { probeBlocks, probeSessions } from '../../schema/probing.ts';
import { excluded } from '../sql/excluded.ts';
import { msFromNow } from '../sql/moments.ts';

export interface ProbeLimiterOptions {
  /** Name of the sending host. Servers rate it, so it has its own pauses and its own budget. */
  readonly egress: string;
  readonly budgets: {
    /** Recipients per minute of one provider, from all sending hosts. */
    readonly groupPerMinute: number;
    /** Recipients per day of one domain. */
    readonly domainPerDay: number;
    /** Recipients per minute from this sending host. */
    readonly egressPerMinute: number;
  };
  /** Lease of a session, which a dead process loses after this time. */
  readonly leaseMs: number;
  /** Receives errors of renewing or releasing a lease; the lease then expires. */
  readonly onError: (error: unknown) => void;
}

/** Maximum time before a process that waits for a session tries again. */
const sessionWaitMsMax = 5_000;

/** Limiter on Postgres for all processes, by its clock; see `db/sql/probing.sql`. */
export function createPostgresProbeLimiter(db: Sql, options: ProbeLimiterOptions): ProbeLimiter {
  return {
    acquireSession: (provider) => withDatabase(() => acquireSession(db, options, provider)),
    acquireRecipient: (request) => withDatabase(() => acquireRecipient(db, options, request)),
    pause: (rejection) => withDatabase(() => pause(db, options, rejection)),
  };
}

async function acquireSession(
  db: Sql,
  options: ProbeLimiterOptions,
  provider: string,
): Promise<SessionLease> {
  const { egress, leaseMs } = options;
  const token = randomUUID();
  const taken = await db.execute<{ answer: 'granted' | 'wait' | 'blocked'; wait_ms: string | null }>(
    sql`SELECT answer, wait_ms FROM nightshift.take_probe_session(${provider}, ${egress}, ${token}, ${leaseMs})`,
  );
  const [row] = taken.rows;
  if (row?.answer === 'granted') return { kind: 'granted', release: keepSession(db, options, token) };
  if (row?.answer === 'blocked') return paused('provider_paused', row.wait_ms);
  return { kind: 'wait', untilMs: Date.now() + Math.min(sessionWaitMsMax, Number(row?.wait_ms ?? 1)) };
}

/** Renews the lease until the returned function releases it. */
function keepSession(db: Sql, { leaseMs, onError }: ProbeLimiterOptions, token: string): () => Promise<void> {
  const endRenewing = keepRenewing(() => renewSession(db, token, leaseMs), { everyMs: leaseMs / 3, onError });
  return async () => {
    await endRenewing();
    await endSession(db, token).catch(onError);
  };
}

async function renewSession(db: Sql, token: string, leaseMs: number): Promise<void> {
  const endsAt = sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
  await withDatabase(() => db.update(probeSessions).set({ endsAt }).where(eq(probeSessions.token, token)));
}

async function endSession(db: Sql, token: string): Promise<void> {
  await withDatabase(() => db.delete(probeSessions).where(eq(probeSessions.token, token)));
}

async function acquireRecipient(
  db: Sql,
  { egress, budgets }: ProbeLimiterOptions,
  { provider, domain, digest, room }: RecipientRequest,
): Promise<RecipientPermit> {
  const { groupPerMinute, domainPerDay, egressPerMinute } = budgets;
  const mailbox = digest === null ? null : Buffer.from(digest, 'hex');
  const taken = await db.execute<{ answer: 'granted' | 'wait' | 'blocked' | 'exhausted'; wait_ms: string }>(
    sql`SELECT answer, wait_ms FROM nightshift.take_probe_recipient(${provider}, ${domain}, ${egress}, ${mailbox}, ${room},
      ${groupPerMinute}, ${domainPerDay}, ${egressPerMinute})`,
  );
  const [row] = taken.rows;
  if (row?.answer === 'granted') return { kind: 'granted' };
  if (row?.answer === 'wait') return { kind: 'wait', untilMs: Date.now() + Number(row.wait_ms) };
  if (row?.answer === 'blocked') return paused('domain_paused', row.wait_ms);
  return { kind: 'refused', reason: 'probe_budget_exhausted', retryAt: null };
}

function paused(reason: 'domain_paused' | 'provider_paused', waitMs: string | null): Denied {
  return { kind: 'refused', reason, retryAt: new Date(Date.now() + Number(waitMs ?? 0)) };
}

async function pause(
  db: Sql,
  { egress }: ProbeLimiterOptions,
  { provider, domain, finding }: SenderRejection,
): Promise<Date> {
  const { until } = probeBlocks;
  const [paused] = await db
    .insert(probeBlocks)
    .values({
      mxGroup: provider,
      egress,
      domain: domain ?? '',
      finding,
      until: msFromNow(probeRejection.delayMs),
    })
    .onConflictDoUpdate({
      target: [probeBlocks.mxGroup, probeBlocks.egress, probeBlocks.domain],
      set: { finding, until: sql`greatest(${until}, ${excluded(until)})` },
    })
    .returning({ until });
  return paused?.until ?? new Date(Date.now() + probeRejection.delayMs);
}
