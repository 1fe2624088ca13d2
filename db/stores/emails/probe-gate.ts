import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type {
  GatedRecipient,
  Denied,
  ProbeGate,
  RecipientLeave,
  RefusedGroup,
  SessionLeave,
} from '../../../src/core/emails/probing/mailbox-probe.ts';
import { keepRenewing } from '../../../src/core/async/keep-renewing.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { probeBlocks, probeSessions } from '../../schema/probing.ts';
import { excluded } from '../sql/excluded.ts';
import { msFromNow } from '../sql/moments.ts';

export interface ProbeGateOptions {
  /** Names where we ask from: servers judge that, so blocks and a budget of its own hang on it. */
  readonly egress: string;
  readonly budgets: {
    /** Recipients a minute of the hosts of one group, from all egresses. */
    readonly groupPerMinute: number;
    /** Recipients a day of one domain. */
    readonly domainPerDay: number;
    /** Recipients a minute from this egress. */
    readonly egressPerMinute: number;
  };
  /** Lease of a session; that of a process that died is free after it. */
  readonly leaseMs: number;
  /** Told of a session that could not be renewed or given up; it ends by itself. */
  readonly onError: (error: unknown) => void;
}

/** Pause of a group that rejected us. Our choice; the reference says hours. */
const pauseMs = 6 * 3_600_000;
/** Interval at which a process that waits for a session checks again. */
const sessionWaitMsMax = 5_000;

/**
 * Probe budgets and sessions on Postgres for all processes, by its clock; see `db/sql/probing.sql`.
 */
export function createPostgresProbeGate(db: Sql, options: ProbeGateOptions): ProbeGate {
  return {
    takeSession: (group) => withDatabase(() => takeSession(db, options, group)),
    takeRecipient: (recipient) => withDatabase(() => takeRecipient(db, options, recipient)),
    pause: (refused) => withDatabase(() => pause(db, options, refused)),
  };
}

async function takeSession(db: Sql, options: ProbeGateOptions, group: string): Promise<SessionLeave> {
  const { egress, leaseMs } = options;
  const token = randomUUID();
  const taken = await db.execute<{ answer: 'granted' | 'wait' | 'blocked'; wait_ms: string | null }>(
    sql`SELECT answer, wait_ms FROM nightshift.take_probe_session(${group}, ${egress}, ${token}, ${leaseMs})`,
  );
  const [row] = taken.rows;
  if (row?.answer === 'granted') return { kind: 'granted', end: keepSession(db, options, token) };
  if (row?.answer === 'blocked') return paused('provider_paused', row.wait_ms);
  return { kind: 'wait', untilMs: Date.now() + Math.min(sessionWaitMsMax, Number(row?.wait_ms ?? 1)) };
}

/** Renews the session until it is given up, which is what the answer does. */
function keepSession(db: Sql, { leaseMs, onError }: ProbeGateOptions, token: string): () => Promise<void> {
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

async function takeRecipient(
  db: Sql,
  { egress, budgets }: ProbeGateOptions,
  { group, domain, address, room }: GatedRecipient,
): Promise<RecipientLeave> {
  const { groupPerMinute, domainPerDay, egressPerMinute } = budgets;
  const digest = address === null ? null : Buffer.from(address.digest, 'hex');
  const taken = await db.execute<{ answer: 'granted' | 'wait' | 'blocked' | 'exhausted'; wait_ms: string }>(
    sql`SELECT answer, wait_ms FROM nightshift.take_probe_recipient(${group}, ${domain}, ${egress}, ${digest}, ${room},
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
  { egress }: ProbeGateOptions,
  { group, domain, finding }: RefusedGroup,
): Promise<Date> {
  const { until } = probeBlocks;
  const [paused] = await db
    .insert(probeBlocks)
    .values({ mxGroup: group, egress, domain: domain ?? '', finding, until: msFromNow(pauseMs) })
    .onConflictDoUpdate({
      target: [probeBlocks.mxGroup, probeBlocks.egress, probeBlocks.domain],
      set: { finding, until: sql`greatest(${until}, ${excluded(until)})` },
    })
    .returning({ until });
  return paused?.until ?? new Date(Date.now() + pauseMs);
}
