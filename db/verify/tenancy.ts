import { sql } from 'drizzle-orm';
import type { InvariantReport, VerifyOptions } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { countOf, evaluate, type Clause } from './clause.ts';
import { payloadsCarryIdsOnly, queueIsHere, queuedJobsCarryIdsOnly } from './jobs.ts';
import { eventsStayInAccount } from './events.ts';
import { landingsStayInAccount } from './landings.ts';
import type { Scope } from './scope/scope.ts';
import { accountsReadTheirViewsOnly, readerReadsReportsOnly } from './rights.ts';
import { appendOnly, timelinesStay } from './triggers.ts';

/** Invariant 12, as far as the stored data can show. Logs and error bodies are not stored here. */
export function tenancyClauses(scope: Scope): readonly Clause[] {
  return [accountsAgree(scope), entriesStayInAccount(scope)];
}

/** The rest of invariant 12, which does not grow with the lookups. */
export async function checkTenancy(db: Sql, { readJobPayloads }: VerifyOptions): Promise<InvariantReport> {
  const here = await queueIsHere(db);
  const payloads = readJobPayloads === undefined ? null : await readJobPayloads();
  const clauses = [
    eventsStayInAccount,
    landingsStayInAccount,
    linksStayInAccount,
    appendOnly(['audit_log']),
    timelinesStay(),
    readerReadsReportsOnly,
    accountsReadTheirViewsOnly,
    ...(here ? queuedJobsCarryIdsOnly : []),
    ...(payloads === null ? [] : [payloadsCarryIdsOnly(payloads)]),
  ];
  return evaluate(
    db,
    12,
    clauses,
    here || payloads !== null ? null : 'The queue was not available: the content of jobs was not checked.',
  );
}

/** A link shows a report of its own account, and expires after 90 days at the latest. */
const linksStayInAccount: Clause = {
  checked: countOf(sql`nightshift.report_links`),
  broken: sql`SELECT format('link %s of account %s shows batch %s of account %s', k.public_id, k.account_id, b.public_id, b.account_id) AS finding
    FROM nightshift.report_links k JOIN nightshift.batches b ON b.id = k.batch_id WHERE b.account_id <> k.account_id
    UNION ALL
    SELECT format('link %s of account %s shows schedule %s of account %s', k.public_id, k.account_id, h.public_id, h.account_id)
    FROM nightshift.report_links k JOIN nightshift.schedules h ON h.id = k.schedule_id WHERE h.account_id <> k.account_id
    UNION ALL
    SELECT format('link %s expires more than 90 days after it was created', k.public_id)
    FROM nightshift.report_links k WHERE k.expires_at > k.created_at + interval '91 days'`,
};

/** Related records belong to one account. Invariant 1 checks that a row's lookup belongs to the row's batch. */
const accountsAgree = ({ batches, chunks, lookups, lookupsCount }: Scope): Clause => ({
  part: 'lookups',
  checked: lookupsCount,
  broken: sql`SELECT format('lookup %s belongs to account %s, its batch %s to account %s', l.id, l.account_id, b.public_id,
        b.account_id) AS finding
    FROM ${lookups} l JOIN ${batches} b ON b.id = l.batch_id WHERE l.account_id <> b.account_id
    UNION ALL
    SELECT format('lookup %s belongs to account %s, which does not exist', l.id, l.account_id)
    FROM ${lookups} l LEFT JOIN nightshift.accounts a ON a.id = l.account_id WHERE a.id IS NULL
    UNION ALL
    SELECT format('chunk %s belongs to account %s, its lookups from %s on to account %s', c.id, c.account_id, l.id, l.account_id)
    FROM ${chunks} c CROSS JOIN LATERAL (
      SELECT o.id, o.account_id FROM nightshift.lookups o WHERE o.id = c.first_lookup_id
      UNION ALL
      SELECT c.first_lookup_id, b.account_id FROM nightshift.lookup_blocks b
      WHERE b.batch_id = c.batch_id AND b.operation = c.operation AND b.first_id BETWEEN c.first_lookup_id - 999 AND c.first_lookup_id
        AND c.first_lookup_id = ANY (b.ids)
      LIMIT 1
    ) l WHERE c.account_id <> l.account_id`,
});

const entriesStayInAccount = ({ entries, entryLookups }: Scope): Clause => ({
  part: 'entries',
  checked: null,
  broken: sql`SELECT format('entry %s of account %s is for lookup %s of account %s', e.seq, e.account_id, l.id, l.account_id) AS finding
    FROM ${entries} e JOIN ${entryLookups} l ON l.id = e.lookup_id WHERE e.account_id <> l.account_id`,
});
