import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { EmailAddress } from '../../../src/core/emails/syntax/address.ts';
import type { ErasedRecords, Erasure } from '../../../src/core/emails/probing/erasure.ts';
import { mailboxDigest } from '../../../src/core/emails/probing/mailbox.ts';
import { personDigest } from '../../../src/core/emails/probing/opt-outs.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { forgetInSchedules, forgetMailTargets } from './erase-in-schedules.ts';
import { forgetMailbox } from '../emails/mailboxes.ts';
import { addOptOut } from '../emails/opt-outs.ts';

/** Calls `forget_address` of `db/sql/erasure.sql`. */
export function createErasure(db: NodePgDatabase): Erasure {
  return {
    erase: (address) => withDatabase(() => db.transaction((transaction) => erase(transaction, address))),
  };
}

/** Erases an address in both spellings of its domain. */
async function erase(db: Sql, address: EmailAddress): Promise<ErasedRecords> {
  const { localPart, normalised, asciiDomain } = address;
  const spellings = [...new Set([normalised, `${localPart}@${asciiDomain}`])];
  const found = await db.execute<{ lookups: string; rows: string }>(
    sql`SELECT lookups, rows FROM nightshift.forget_address(${normalised}, ${texts(spellings)})`,
  );
  const [row] = found.rows;
  await forgetMailbox(db, mailboxDigest(localPart, asciiDomain));
  await addOptOut(db, { kind: 'person', digest: personDigest(address) });
  const schedules = await forgetInSchedules(db, spellings);
  const webhooks = await forgetMailTargets(db, spellings);
  return { lookups: Number(row?.lookups ?? 0), rows: Number(row?.rows ?? 0), schedules, webhooks };
}
