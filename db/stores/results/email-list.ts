import { and, desc, eq, isNotNull, lt, max, min, sql, type SQL } from 'drizzle-orm';
import type { EmailFilter, EmailList, ListedEmail } from '../../../src/core/validation/email-list.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { emailResults } from '../../schema/email.ts';
import { chunks, lookups } from '../../schema/lookups.ts';
import { readSummary } from '../batches/batch-summaries.ts';

/** The verdicts of an account, from its lookups. */
export function createEmailList(db: Sql): EmailList {
  return {
    list: (accountId, filter, page) => withDatabase(() => listEmails(db, accountId, filter, page)),
  };
}

async function listEmails(
  db: Sql,
  accountId: number,
  filter: EmailFilter,
  { limit, before }: { readonly limit: number; readonly before: bigint | null },
): Promise<readonly ListedEmail[]> {
  const { id: lookupId, operation, outcome, email } = lookups;
  const { status, reasons, recommendation, verificationLevel, didYouMean, mxProvider } = emailResults;
  const { checkedAt, retryAt } = emailResults;
  const verdict = { status, reasons, recommendation, level: verificationLevel, didYouMean, mxProvider };
  const found = await db
    .select({
      ...{ lookupId, email, ...verdict, checkedAt, retryAt },
      ...{ batch: batches.publicId, fileName: batches.fileName },
    })
    .from(lookups)
    .innerJoin(emailResults, eq(emailResults.lookupId, lookupId))
    .leftJoin(batches, eq(batches.id, lookups.batchId))
    .where(
      and(
        eq(lookups.accountId, accountId),
        eq(operation, 'email_validation'),
        eq(outcome, 'completed'),
        // Addresses of erased persons and purged addresses are null.
        isNotNull(email),
        before === null ? undefined : lt(lookupId, before),
        filter.batch === null ? undefined : await isOfBatch(db, accountId, filter.batch),
        isWanted(filter),
      ),
    )
    .orderBy(desc(lookupId))
    .limit(limit);
  return found.flatMap((each) => (each.email === null ? [] : [{ ...each, email: each.email }]));
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
