import { and, eq, lt, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Conflict } from '../../../src/core/errors.ts';
import { keepRetention } from '../../../src/core/purge/purge.ts';
import type { Retention } from '../../../src/core/purge/purge-kinds.ts';
import type { Housekeeping } from '../../../src/core/work/housekeeping.ts';
import { accountSessionLimits } from '../../queries/account-session.ts';
import { withDatabase } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { discardBatch } from '../batches/discard-batch.ts';
import { deleteOldResponses } from '../accounts/stored-responses.ts';
import { deleteOldDomains } from '../emails/mail-domains.ts';
import { deleteOldProbes } from '../emails/mailboxes.ts';
import { createPurgeStore } from './purge.ts';
import { giveUpRechecks } from '../emails/rechecks.ts';
import { deleteOldSessions } from '../accounts/sessions.ts';
import { deleteOldReportLinks } from '../reports/report-links.ts';
import { deleteOldRestoredCalls } from '../sources/restored-calls.ts';

/** Maximum number per round, so that a round stays short. */
const repliesPerRound = 1000;
const loadsPerRound = 10;
const domainsPerRound = 10_000;
const mailboxesPerRound = 10_000;
const lookupsPerRound = 500;
const sessionsPerRound = 1000;
const linksPerRound = 1000;
const restoredPerRound = 10_000;

/** Maximum time that a sweep of unreferenced ads may delay the dispatcher. */
const sweepWaitMs = 500;

/** Creates the housekeeping. `limitMemory` limits the memory of a server process by its id; null if the server is not on this machine. */
export function createHousekeeping(
  db: NodePgDatabase,
  retention: Retention,
  limitMemory: ((pid: number) => Promise<unknown>) | null = null,
): Housekeeping {
  const purges = createPurgeStore(db, { perRound: lookupsPerRound, sweepWaitMs });
  return {
    tidy: () =>
      withDatabase(async () => {
        await deleteOldResponses(db, repliesPerRound);
        await removeAbandonedLoads(db);
        await deleteOldDomains(db, domainsPerRound);
        await deleteOldProbes(db, mailboxesPerRound);
        await giveUpRechecks(db);
        await deleteOldSessions(db, sessionsPerRound);
        await deleteOldReportLinks(db, linksPerRound);
        await deleteOldRestoredCalls(db, restoredPerRound);
        await endLingeringSessions(db);
        await db.execute(sql`SELECT nightshift.rewrite_grown_tables()`);
        if (limitMemory !== null) await limitAccountSessions(db, limitMemory);
      }).then(() => keepRetention(purges, retention)),
  };
}

/** Logins of accounts have the same limits as settings (`db/logins/account-logins.ts`), but their sessions may change those. */
async function endLingeringSessions(db: NodePgDatabase): Promise<void> {
  const { idleMs, statementMs } = accountSessionLimits;
  await db.execute(sql`SELECT nightshift.end_lingering_sessions(${idleMs}, ${statementMs})`);
}

/** Limits the sessions of accounts' own logins; the page SQL limits its own before they run a statement. */
async function limitAccountSessions(
  db: NodePgDatabase,
  limitMemory: (pid: number) => Promise<unknown>,
): Promise<void> {
  const { rows } = await db.execute<{ pid: number }>(
    sql`SELECT a.pid FROM pg_stat_get_activity(NULL) a JOIN pg_roles r ON r.oid = a.usesysid
      JOIN nightshift.account_logins l ON l.role_name = r.rolname`,
  );
  for (const { pid } of rows) await limitMemory(pid);
}

async function removeAbandonedLoads(db: NodePgDatabase): Promise<void> {
  const { id, state, stateSince } = batches;
  const abandoned = await db
    .select({ id })
    .from(batches)
    .where(and(eq(state, 'loading'), lt(stateSince, sql`now() - interval '1 day'`)))
    .orderBy(id)
    .limit(loadsPerRound);
  for (const batch of abandoned) {
    await db
      .transaction((transaction) => discardBatch(transaction, batch.id))
      .catch((error: unknown) => {
        // Another process continues it: it is not abandoned.
        if (!(error instanceof Conflict)) throw error;
      });
  }
}
