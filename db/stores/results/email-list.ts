import { sql, type SQL } from 'drizzle-orm';
import type { EmailFilter, EmailList, ListedEmail } from '../../../src/core/validation/email-list.ts';
import type {
  EmailStatus,
  Recommendation,
  VerificationLevel,
} from '../../../src/core/emails/verdict/verdict.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { readSummary } from '../batches/batch-summaries.ts';

/** The verdicts of an account, from its lookups. */
export function createEmailList(db: Sql): EmailList {
  return {
    list: (accountId, filter, page) => withDatabase(() => listEmails(db, accountId, filter, page)),
  };
}

interface EmailRow extends Record<string, unknown> {
  readonly id: string;
  readonly email: string;
  readonly status: EmailStatus;
  readonly reasons: readonly string[];
  readonly recommendation: Recommendation;
  readonly verification_level: VerificationLevel;
  readonly did_you_mean: string | null;
  readonly mx_provider: string | null;
  readonly checked_at: string;
  readonly retry_at: string | null;
  readonly batch: string | null;
  readonly file_name: string | null;
}

async function listEmails(
  db: Sql,
  accountId: number,
  filter: EmailFilter,
  { limit, before }: { readonly limit: number; readonly before: bigint | null },
): Promise<readonly ListedEmail[]> {
  const conditions = [
    // An address that is gone was one of a person who was forgotten, or was purged.
    sql`l.account_id = ${accountId} AND l.operation = 'email_validation' AND l.outcome = 'completed' AND l.email IS NOT NULL`,
    ...(before === null ? [] : [sql`l.id < ${before}`]),
    ...(filter.batch === null ? [] : [await ofBatchSql(db, accountId, filter.batch)]),
    ...filterSql(filter),
  ];
  const { rows } = await db.execute<EmailRow>(
    sql`SELECT l.id, l.email, e.status, e.reasons, e.recommendation, e.verification_level, e.did_you_mean, e.mx_provider,
        e.checked_at, e.retry_at, b.public_id AS batch, b.file_name
      FROM nightshift.lookups l
      JOIN nightshift.email_results e ON e.lookup_id = l.id
      LEFT JOIN nightshift.batches b ON b.id = l.batch_id
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY l.id DESC LIMIT ${limit}`,
  );
  return rows.map(toEmail);
}

/** Its lookups lie between those of its chunks: what the account has asked since is passed over at once. */
async function ofBatchSql(db: Sql, accountId: number, batch: string): Promise<SQL> {
  const { batchId } = await readSummary(db, accountId, batch);
  const { rows } = await db.execute<{ first: string | null; last: string | null }>(
    sql`SELECT min(first_lookup_id) AS first, max(last_lookup_id) AS last FROM nightshift.chunks WHERE batch_id = ${batchId}`,
  );
  const { first = null, last = null } = rows[0] ?? {};
  return sql`l.batch_id = ${batchId} AND l.id BETWEEN ${first}::bigint AND ${last}::bigint`;
}

function filterSql({ words, status, recommendation, reason }: EmailFilter): readonly SQL[] {
  return [
    ...words.map((word) => sql`strpos(lower(l.email), lower(${word}::text)) > 0`),
    ...(status === null ? [] : [sql`e.status = ${status}`]),
    ...(recommendation === null ? [] : [sql`e.recommendation = ${recommendation}`]),
    ...(reason === null ? [] : [sql`${reason} = ANY (e.reasons)`]),
  ];
}

function toEmail(row: EmailRow): ListedEmail {
  return {
    lookupId: BigInt(row.id),
    email: row.email,
    status: row.status,
    reasons: row.reasons,
    recommendation: row.recommendation,
    level: row.verification_level,
    didYouMean: row.did_you_mean,
    mxProvider: row.mx_provider,
    checkedAt: new Date(row.checked_at),
    retryAt: row.retry_at === null ? null : new Date(row.retry_at),
    batch: row.batch,
    fileName: row.file_name,
  };
}
