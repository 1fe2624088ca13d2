import { and, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import { rowsArePurged } from '../../../src/core/batches/batch.ts';
import { ownerKindOf } from '../../../src/core/batches/batch-labels.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { newId } from '../../../src/core/ids.ts';
import {
  linksPerReportMax,
  type NewReportLink,
  type OpenedReport,
  type ReportLink,
  type ReportLinkStore,
  type ReportSubject,
} from '../../../src/core/reports/report-links.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { reportLinks } from '../../schema/report-links.ts';
import { schedules } from '../../schema/schedules.ts';
import { writeAudit } from '../accounts/audit-log.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { findOwnBatch, noSuchBatch } from '../batches/batch-summaries.ts';
import { noSuchSchedule, ownSchedule } from '../schedules/schedule-rows.ts';

/** Links in `nightshift.report_links`, by the digests of their tokens. */
export function createReportLinkStore(db: NodePgDatabase): ReportLinkStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    create: (accountId, subject, link, kept) =>
      inTransaction((transaction) => createLink(transaction, { accountId, subject, kept }, link)),
    list: (accountId, subject) => withDatabase(() => listLinks(db, accountId, subject)),
    revoke: (accountId, linkId, by) =>
      inTransaction((transaction) => revokeLink(transaction, accountId, linkId, by)),
    open: (digest) => withDatabase(() => openLink(db, digest)),
  };
}

/** Maximum number of links in a list. */
const listedMax = 1000;

/** Condition that the author of link `k` is neither a disabled user nor a revoked key. */
const authorHolds: SQL = sql`(NOT EXISTS (SELECT FROM nightshift.users u WHERE u.public_id = k.created_by AND u.disabled_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM nightshift.api_keys a WHERE a.public_id = k.created_by AND a.revoked_at IS NOT NULL))`;

/** Condition that link `k` is active, by the database clock. */
const isActive: SQL = sql`(k.revoked_at IS NULL AND k.expires_at > now() AND ${authorHolds})`;

interface LinkRow extends Record<string, unknown> {
  readonly link_id: string;
  readonly kind: ReportSubject['kind'];
  readonly subject_id: string;
  readonly name: string;
  readonly state: ReportLink['state'];
  readonly created_by: string;
  readonly owner_name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly opened: number;
  readonly opened_at: string | null;
}

async function selectLinks(db: Sql, condition: SQL, limit: number): Promise<readonly ReportLink[]> {
  const { rows } = await db.execute<LinkRow>(
    sql`SELECT k.public_id AS link_id, CASE WHEN k.batch_id IS NULL THEN 'schedule' ELSE 'batch' END AS kind,
        coalesce(b.public_id, h.public_id) AS subject_id, coalesce(b.name, b.file_name, h.name) AS name,
        CASE WHEN k.revoked_at IS NOT NULL OR NOT ${authorHolds} THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' ELSE 'active' END
          AS state,
        k.created_by, coalesce((SELECT u.login FROM nightshift.users u WHERE u.public_id = k.created_by),
          (SELECT a.name FROM nightshift.api_keys a WHERE a.public_id = k.created_by)) AS owner_name,
        k.created_at, k.expires_at, k.opened, k.opened_at
      FROM nightshift.report_links k
      LEFT JOIN nightshift.batches b ON b.id = k.batch_id
      LEFT JOIN nightshift.schedules h ON h.id = k.schedule_id
      WHERE ${condition} ORDER BY k.id DESC LIMIT ${limit}`,
  );
  return rows.map(toLink);
}

function toLink(row: LinkRow): ReportLink {
  const { created_by: id, owner_name: name } = row;
  return {
    linkId: row.link_id,
    subject: { kind: row.kind, id: row.subject_id, name: row.name },
    state: row.state,
    owner: { kind: ownerKindOf(id) ?? 'cli', id, name },
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    opened: row.opened,
    openedAt: row.opened_at === null ? null : new Date(row.opened_at),
  };
}

interface Target {
  readonly accountId: number;
  readonly subject: ReportSubject;
  readonly kept: StoredResponse<ReportLink> | null | undefined;
}

async function createLink(
  db: Sql,
  { accountId, subject, kept }: Target,
  { digest, days, by }: NewReportLink,
): Promise<ReportLink> {
  const { publicId: id, column } = await findSubject(db, accountId, subject);
  await rejectTooMany(db, column);
  const linkId = newId('rpl', Date.now());
  await db.insert(reportLinks).values({
    ...{ publicId: linkId, accountId, digest, ...column, createdBy: by.actor },
    expiresAt: sql`now() + make_interval(hours => ${24 * days})`,
  });
  const details = { link: linkId, [subject.kind]: id, days };
  await writeAudit(db, { accountId, event: 'report_link_created', keyId: null, ...by, details });
  const [link] = await selectLinks(db, sql`k.public_id = ${linkId}`, 1);
  if (link === undefined) throw new Error('A new link was not found.');
  await keepAnswer(db, kept, link);
  return link;
}

/** Column of the batch or schedule, which is neither deleted nor removed. @throws NotFound | Conflict */
async function findSubject(db: Sql, accountId: number, { kind, id: named }: ReportSubject) {
  if (kind === 'schedule') {
    const { id, publicId, state } = schedules;
    const { where, idFirst } = ownSchedule(accountId, named);
    const [found] = await db.select({ id, publicId, state }).from(schedules).where(where).orderBy(idFirst);
    if (found === undefined || found.state === 'removed') throw noSuchSchedule(named);
    return { publicId: found.publicId, column: { scheduleId: found.id } };
  }
  const { id, publicId, purgedAt, deletedAt } = batches;
  const [found] = await db
    .select({ id, purgedAt })
    .from(batches)
    .where(and(eq(batches.accountId, accountId), eq(publicId, named), isNull(deletedAt)));
  if (found === undefined) throw noSuchBatch(named);
  if (found.purgedAt !== null) throw rowsArePurged(named, found.purgedAt);
  return { publicId: named, column: { batchId: found.id } };
}

type SubjectColumn = { readonly batchId: number } | { readonly scheduleId: number };

function isOf(column: SubjectColumn): SQL {
  return 'batchId' in column
    ? sql`k.batch_id = ${column.batchId}`
    : sql`k.schedule_id = ${column.scheduleId}`;
}

async function rejectTooMany(db: Sql, column: SubjectColumn): Promise<void> {
  const { rows } = await db.execute<{ n: number }>(
    sql`SELECT count(*)::integer AS n FROM nightshift.report_links k WHERE ${isOf(column)} AND ${isActive}`,
  );
  if ((rows[0]?.n ?? 0) < linksPerReportMax) return;
  throw new Conflict(`This report has ${linksPerReportMax} active links, the maximum. Revoke one.`);
}

async function listLinks(
  db: Sql,
  accountId: number,
  subject: ReportSubject | null,
): Promise<readonly ReportLink[]> {
  const ofAccount = sql`k.account_id = ${accountId}`;
  if (subject === null) return selectLinks(db, ofAccount, listedMax);
  const column = await findListed(db, accountId, subject);
  return selectLinks(db, sql`${ofAccount} AND ${isOf(column)}`, listedMax);
}

/** Unlike a new link, the list of a purged batch is no error. @throws NotFound */
async function findListed(db: Sql, accountId: number, subject: ReportSubject): Promise<SubjectColumn> {
  if (subject.kind === 'schedule') return (await findSubject(db, accountId, subject)).column;
  return { batchId: await findOwnBatch(db, accountId, subject.id) };
}

async function revokeLink(db: Sql, accountId: number, linkId: string, by: Actor): Promise<void> {
  const [link] = await selectLinks(db, sql`k.account_id = ${accountId} AND k.public_id = ${linkId}`, 1);
  if (link === undefined) throw new NotFound(`There is no link ${linkId}.`);
  const { publicId, revokedAt } = reportLinks;
  const revoked = await db
    .update(reportLinks)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(publicId, linkId), isNull(revokedAt)));
  if (revoked.rowCount === 0) return;
  const details = { link: linkId, [link.subject.kind]: link.subject.id };
  await writeAudit(db, { accountId, event: 'report_link_revoked', keyId: null, ...by, details });
}

/** One statement for every kind of token, so that their answers do not differ in time either. */
async function openLink(db: Sql, digest: Buffer): Promise<OpenedReport | null> {
  const { rows } = await db.execute<{
    account_id: string;
    kind: ReportSubject['kind'];
    subject_id: string;
  }>(
    sql`UPDATE nightshift.report_links k SET opened = k.opened + 1, opened_at = now()
      FROM (
        SELECT o.id, b.public_id AS batch, h.public_id AS schedule
        FROM nightshift.report_links o
        LEFT JOIN nightshift.batches b ON b.id = o.batch_id AND b.account_id = o.account_id AND b.deleted_at IS NULL AND b.purged_at IS NULL
        LEFT JOIN nightshift.schedules h ON h.id = o.schedule_id AND h.account_id = o.account_id AND h.state <> 'removed'
        WHERE o.digest = ${digest}
      ) s
      WHERE k.id = s.id AND num_nonnulls(s.batch, s.schedule) = 1 AND ${isActive}
      RETURNING k.account_id, CASE WHEN s.batch IS NULL THEN 'schedule' ELSE 'batch' END AS kind, coalesce(s.batch, s.schedule) AS subject_id`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { accountId: Number(row.account_id), subject: { kind: row.kind, id: row.subject_id } };
}

/** Deletes links 30 days after they expired or were revoked, at most `max`. */
export async function deleteOldReportLinks(db: Sql, max: number): Promise<void> {
  const { id, expiresAt, revokedAt } = reportLinks;
  const before = sql`now() - interval '30 days'`;
  const old = db
    .select({ id })
    .from(reportLinks)
    .where(or(lt(expiresAt, before), lt(revokedAt, before)))
    .limit(max);
  await db.delete(reportLinks).where(inArray(id, old));
}
