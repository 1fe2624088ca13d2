import { and, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import type {
  DomainAtHosts,
  StoredMailbox,
  KnownControl,
  MailboxStore,
  DeferredControl,
} from '../../../src/core/emails/probing/mailbox-store.ts';
import type { ProbedMailbox } from '../../../src/core/emails/probing/mailbox.ts';
import type { CatchAll, ProbeFinding, SmtpReply } from '../../../src/core/emails/replies/smtp-reply.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import {
  catchAlls,
  mailboxes,
  probeBlocks,
  probeBudgets,
  probeControls,
  probeSessions,
} from '../../schema/probing.ts';
import { texts } from '../sql/arrays.ts';

interface MailboxRow extends Record<string, unknown> {
  readonly digest: string;
  readonly finding: ProbeFinding;
  readonly catch_all: CatchAll;
  readonly host: string;
  readonly reply: SmtpReply | null;
  readonly attempts: number;
  readonly duration_ms: number;
  readonly checked_at: string;
  readonly retry_at: string | null;
}

/** Cache of mail servers' answers, in `nightshift.mailboxes`, `catch_alls` and `probe_controls`, for all processes. */
export function createMailboxStore(db: Sql): MailboxStore {
  return {
    readMailboxes: (digests) => withDatabase(() => readMailboxes(db, digests)),
    writeMailboxes: (found) => withDatabase(() => writeMailboxes(db, found)),
    readControls: (domains, hosts) => withDatabase(() => readControls(db, domains, hosts)),
    writeCatchAll: (domain, state, expiresAt) =>
      withDatabase(() => writeCatchAll(db, domain, state, expiresAt)),
    writeControl: (domain, control) => withDatabase(() => writeControl(db, domain, control)),
  };
}

async function readMailboxes(
  db: Sql,
  digests: readonly string[],
): Promise<ReadonlyMap<string, ProbedMailbox>> {
  const found = await db.execute<MailboxRow>(
    sql`SELECT encode(digest, 'hex') AS digest, finding, catch_all, host, reply, attempts, duration_ms, checked_at, retry_at
      FROM nightshift.mailboxes
      WHERE digest IN (SELECT decode(d, 'hex') FROM unnest(${texts(digests)}) d) AND finding IS NOT NULL`,
  );
  return new Map(found.rows.map((row) => [row.digest, toEvidence(row)]));
}

function toEvidence(row: MailboxRow): ProbedMailbox {
  return {
    kind: 'probed',
    finding: row.finding,
    catchAll: row.catch_all,
    host: row.host,
    reply: row.reply,
    attempts: row.attempts,
    durationMs: row.duration_ms,
    checkedAt: new Date(row.checked_at),
    retryAt: row.retry_at === null ? null : new Date(row.retry_at),
  };
}

/** Sorted, so that two processes that write the same mailboxes do not deadlock. */
async function writeMailboxes(db: Sql, found: readonly StoredMailbox[]): Promise<void> {
  const rows = found.map(({ digest, expiresAt, evidence }) => ({
    digest: `\\x${digest}`,
    finding: evidence.finding,
    catch_all: evidence.catchAll,
    host: evidence.host,
    reply: evidence.reply,
    attempts: evidence.attempts,
    duration_ms: Math.round(evidence.durationMs),
    checked_at: evidence.checkedAt.toISOString(),
    retry_at: evidence.retryAt?.toISOString() ?? null,
    expires_at: expiresAt.toISOString(),
    unanswered: 0,
    asked_at: evidence.checkedAt.toISOString(),
  }));
  await db.execute(
    sql`INSERT INTO nightshift.mailboxes AS m
      SELECT DISTINCT ON (digest) * FROM jsonb_populate_recordset(NULL::nightshift.mailboxes, ${JSON.stringify(rows)}::jsonb)
      ORDER BY digest, checked_at DESC
      ON CONFLICT (digest) DO UPDATE SET finding = excluded.finding, catch_all = excluded.catch_all, host = excluded.host,
        reply = excluded.reply, attempts = excluded.attempts, duration_ms = excluded.duration_ms,
        checked_at = excluded.checked_at, retry_at = excluded.retry_at, expires_at = excluded.expires_at, unanswered = 0,
        asked_at = greatest(m.asked_at, excluded.asked_at)
      WHERE m.checked_at IS NULL OR excluded.checked_at >= m.checked_at`,
  );
}

async function readControls(
  db: Sql,
  domains: readonly string[],
  hosts: string,
): Promise<ReadonlyMap<string, KnownControl>> {
  const found = await db.execute<{ domain: string; state: CatchAll | null; local_part: string | null }>(
    sql`SELECT domain, c.state, p.local_part
      FROM (SELECT * FROM nightshift.catch_alls
        WHERE domain = ANY (${texts(domains)}) AND hosts = ${hosts} AND expires_at > now()) c
      FULL JOIN (SELECT * FROM nightshift.probe_controls
        WHERE domain = ANY (${texts(domains)}) AND hosts = ${hosts} AND expires_at > now()) p USING (domain)`,
  );
  return new Map(
    found.rows.map(({ domain, state, local_part }) => [
      domain,
      { catchAll: state ?? 'not_run', localPart: local_part },
    ]),
  );
}

async function writeCatchAll(
  db: Sql,
  { domain, hosts }: DomainAtHosts,
  state: CatchAll,
  expiresAt: Date,
): Promise<void> {
  await db
    .insert(catchAlls)
    .values({ domain, hosts, state, expiresAt })
    .onConflictDoUpdate({ target: [catchAlls.domain, catchAlls.hosts], set: { state, expiresAt } });
}

/** A name that another process has stored meanwhile stays until the control is settled: servers have seen it first. */
async function writeControl(
  db: Sql,
  { domain, hosts }: DomainAtHosts,
  control: DeferredControl | null,
): Promise<void> {
  if (control === null) {
    const isTheirs = and(eq(probeControls.domain, domain), eq(probeControls.hosts, hosts));
    await db.delete(probeControls).where(isTheirs);
    return;
  }
  const { localPart, expiresAt } = control;
  await db
    .insert(probeControls)
    .values({ domain, hosts, localPart, expiresAt })
    .onConflictDoUpdate({
      target: [probeControls.domain, probeControls.hosts],
      set: { localPart, expiresAt },
      setWhere: lte(probeControls.expiresAt, sql`now()`),
    });
}

export async function deleteMailbox(db: Sql, digest: string): Promise<void> {
  await db.delete(mailboxes).where(eq(mailboxes.digest, Buffer.from(digest, 'hex')));
}

/** Deletes entries a day after they expired; also budgets and blocks. */
export async function deleteOldProbes(db: Sql, limit: number): Promise<void> {
  const now = sql`now()`;
  const aDayAgo = sql`now() - interval '1 day'`;
  const { digest, askedAt, expiresAt } = mailboxes;
  const old = db
    .select({ digest })
    .from(mailboxes)
    .where(and(lt(askedAt, aDayAgo), lt(sql`coalesce(${expiresAt}, ${askedAt})`, aDayAgo)))
    .orderBy(askedAt)
    .limit(limit);
  await db.delete(mailboxes).where(inArray(digest, old));
  await db.delete(catchAlls).where(lt(catchAlls.expiresAt, now));
  await db.delete(probeControls).where(lt(probeControls.expiresAt, now));
  await db.delete(probeBudgets).where(lt(probeBudgets.usedAt, sql`now() - interval '2 days'`));
  await db.delete(probeBlocks).where(lt(probeBlocks.until, now));
  await db.delete(probeSessions).where(lt(probeSessions.endsAt, aDayAgo));
}
