import { inArray, lt, sql } from 'drizzle-orm';
import type { MailDomain, MailDomainStore } from '../../../src/core/emails/domains/mail-domain.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { mailDomains } from '../../schema/email.ts';
import { texts } from '../sql/arrays.ts';

interface DomainRow extends Record<string, unknown> {
  readonly domain: string;
  readonly route: MailDomain['route'];
  readonly has_spf: boolean | null;
  readonly has_dmarc: boolean | null;
  readonly checked_at: string;
  readonly expires_at: string;
}

/** Cache of DNS answers, in `nightshift.mail_domains`, for all processes. */
export function createMailDomainStore(db: Sql): MailDomainStore {
  return {
    read: (domains) => withDatabase(() => readDomains(db, domains)),
    write: (found) => withDatabase(() => writeDomains(db, found)),
  };
}

async function readDomains(db: Sql, domains: readonly string[]): Promise<ReadonlyMap<string, MailDomain>> {
  const found = await db.execute<DomainRow>(
    sql`SELECT domain, route, has_spf, has_dmarc, checked_at, expires_at FROM nightshift.mail_domains
      WHERE domain = ANY (${texts(domains)})`,
  );
  return new Map(found.rows.map((row) => [row.domain, toDomain(row)]));
}

function toDomain(row: DomainRow): MailDomain {
  return {
    domain: row.domain,
    route: row.route,
    hasSpf: row.has_spf,
    hasDmarc: row.has_dmarc,
    checkedAt: new Date(row.checked_at),
    expiresAt: new Date(row.expires_at),
  };
}

/** Sorted, so that two processes that write the same domains do not deadlock. */
async function writeDomains(db: Sql, found: readonly MailDomain[]): Promise<void> {
  const rows = found.map((domain) => ({
    domain: domain.domain,
    route: domain.route,
    has_spf: domain.hasSpf,
    has_dmarc: domain.hasDmarc,
    checked_at: domain.checkedAt.toISOString(),
    expires_at: domain.expiresAt.toISOString(),
  }));
  await db.execute(
    sql`INSERT INTO nightshift.mail_domains
      SELECT DISTINCT ON (domain) * FROM jsonb_populate_recordset(NULL::nightshift.mail_domains, ${JSON.stringify(rows)}::jsonb)
      ORDER BY domain, checked_at DESC
      ON CONFLICT (domain) DO UPDATE SET route = excluded.route, has_spf = excluded.has_spf, has_dmarc = excluded.has_dmarc,
        checked_at = excluded.checked_at, expires_at = excluded.expires_at
      WHERE excluded.checked_at >= mail_domains.checked_at`,
  );
}

/** Deletes entries a day after they expired. */
export async function deleteOldDomains(db: Sql, limit: number): Promise<void> {
  const { domain, expiresAt } = mailDomains;
  const old = db
    .select({ domain })
    .from(mailDomains)
    .where(lt(expiresAt, sql`now() - interval '1 day'`))
    .limit(limit);
  await db.delete(mailDomains).where(inArray(domain, old));
}
