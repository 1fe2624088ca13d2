import { and, count, desc, eq, isNotNull, lt, max, min, sql, type SQL } from 'drizzle-orm';
import type {
  EmailCounts,
  EmailFilter,
  EmailList,
  ListedEmail,
} from '../../../src/core/validation/email-list.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { emailResults } from '../../schema/email.ts';
import { chunks, lookups } from '../../schema/lookups.ts';
import { readSummary } from '../batches/batch-summaries.ts';

/** The verdicts of an account, from its lookups. */
export function createEmailList(db: Sql): EmailList {
  return {
    list: (accountId, filter, page) => withDatabase(() => listEmails(db, accountId, filter, page)),
    count: (accountId, filter) => withDatabase(() => countEmails(db, accountId, filter)),
  };
}

async function listEmails(
  db: Sql,
  accountId: number,
  filter: EmailFilter,
  { limit, before }: { readonly limit: number; readonly before: bigint | null },
): Promise<readonly ListedEmail[]> {
  const { id: lookupId, email } = lookups;
  const { status, reasons, recommendation, verificationLevel, didYouMean, mxProvider } = emailResults;
  const { checkedAt, retryAt } = emailResults;
  const verdict = { status, reasons, recommendation, level: verificationLevel, didYouMean, mxProvider };
  const found = await db
    .select({
      ...{ lookupId, email, ...verdict, evidence, checkedAt, retryAt },
      ...{ batch: batches.publicId, batchName: batches.name, fileName: batches.fileName },
    })
    .from(lookups)
    .innerJoin(emailResults, eq(emailResults.lookupId, lookupId))
    .leftJoin(batches, eq(batches.id, lookups.batchId))
    .where(and(await matches(db, accountId, filter), before === null ? undefined : lt(lookupId, before)))
    .orderBy(desc(lookupId))
    .limit(limit);
  return found.flatMap(({ email: address, batchName, ...each }) =>
    address === null ? [] : [{ ...each, email: address, batchName: batchName ?? each.fileName }],
  );
}

const { isDisposable, isPrivacyRelay, isRole, isFree, isCatchAll } = emailResults;
const { mxRecord, mxSecurityGateway, implicitMx, hasSpf, hasDmarc } = emailResults;
const { smtpHost, smtpCode, smtpEnhancedCode, catchAllProbe, probeAttempts } = emailResults;

/** Columns of `ListedEvidence`. */
const evidence = {
  ...{ isDisposable, isPrivacyRelay, isRole, isFree, isCatchAll },
  ...{ mxRecord, mxSecurityGateway, implicitMx, hasSpf, hasDmarc },
  ...{ smtpHost, smtpCode, smtpEnhancedCode, catchAllProbe, probeAttempts },
};

async function countEmails(db: Sql, accountId: number, filter: EmailFilter): Promise<EmailCounts> {
  const { status, recommendation } = emailResults;
  const found = await db
    .select({ status, recommendation, count: count() })
    .from(lookups)
    .innerJoin(emailResults, eq(emailResults.lookupId, lookups.id))
    .where(await matches(db, accountId, filter))
    .groupBy(status, recommendation);
  const sumOf = (isCounted: (group: (typeof found)[number]) => boolean) =>
    found.filter(isCounted).reduce((sum, group) => sum + group.count, 0);
  return {
    total: sumOf(() => true),
    statuses: {
      valid: sumOf((group) => group.status === 'valid'),
      invalid: sumOf((group) => group.status === 'invalid'),
      catch_all: sumOf((group) => group.status === 'catch_all'),
      unknown: sumOf((group) => group.status === 'unknown'),
    },
    recommendations: {
      send: sumOf((group) => group.recommendation === 'send'),
      review: sumOf((group) => group.recommendation === 'review'),
      do_not_send: sumOf((group) => group.recommendation === 'do_not_send'),
    },
  };
}

/** Condition on `lookups` and `email_results`. */
async function matches(db: Sql, accountId: number, filter: EmailFilter): Promise<SQL | undefined> {
  return and(
    eq(lookups.accountId, accountId),
    eq(lookups.operation, 'email_validation'),
    eq(lookups.outcome, 'completed'),
    // Addresses of erased persons and purged addresses are null.
    isNotNull(lookups.email),
    filter.batch === null ? undefined : await isOfBatch(db, accountId, filter.batch),
    isWanted(filter),
  );
}

/** The lookups of a batch lie in the range of its chunks, so that later lookups of the account are skipped at once. */
async function isOfBatch(db: Sql, accountId: number, batch: string): Promise<SQL | undefined> {
  const { batchId } = await readSummary(db, accountId, batch);
  const [range] = await db
    .select({ first: min(chunks.firstLookupId), last: max(chunks.lastLookupId) })
    .from(chunks)
    .where(eq(chunks.batchId, batchId));
  const isInRange = sql`${lookups.id} BETWEEN ${range?.first ?? null}::bigint AND ${range?.last ?? null}::bigint`;
  return and(eq(lookups.batchId, batchId), isInRange);
}

function isWanted({ words, status, recommendation, reason }: EmailFilter): SQL | undefined {
  return and(
    ...words.map((word) => sql`strpos(lower(${lookups.email}), lower(${word}::text)) > 0`),
    status === null ? undefined : eq(emailResults.status, status),
    recommendation === null ? undefined : eq(emailResults.recommendation, recommendation),
    reason === null ? undefined : sql`${reason} = ANY (${emailResults.reasons})`,
  );
}
