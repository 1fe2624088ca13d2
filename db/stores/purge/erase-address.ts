import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { EmailAddress } from '../../../src/core/emails/syntax/address.ts';
import type { ErasedCounts, Erasure } from '../../../src/core/emails/probing/erasure.ts';
import { mailboxDigest } from '../../../src/core/emails/probing/mailbox.ts';
import { personDigest } from '../../../src/core/emails/probing/opt-outs.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { eraseInSchedules, eraseMailTargets } from './erase-in-schedules.ts';
import { deleteMailbox } from '../emails/mailboxes.ts';
import { addOptOut } from '../emails/opt-outs.ts';

/** Creates the erasure, which calls `erase_address` of `db/sql/erasure.sql`. */
export function createErasure(db: NodePgDatabase): Erasure {
  return {
    erase: (address) => withDatabase(() => db.transaction((transaction) => erase(transaction, address))),
  };
}

/** Erases an address in both spellings of its domain. */
async function erase(db: Sql, address: EmailAddress): Promise<ErasedCounts> {
  const { localPart, normalised, asciiDomain } = address;
  const spellings = [...new Set([normalised, `${localPart}@${asciiDomain}`])];
  const found = await db.execute<{ lookups: string; rows: string }>(
    sql`SELECT lookups, rows FROM nightshift.erase_address(${normalised}, ${texts(spellings)})`,
  );
  const [row] = found.rows;
  await deleteMailbox(db, mailboxDigest(localPart, asciiDomain));
  await addOptOut(db, { kind: 'person', digest: personDigest(address) });
  const schedules = await eraseInSchedules(db, spellings);
  const webhooks = await eraseMailTargets(db, spellings);
  return { lookups: Number(row?.lookups ?? 0), rows: Number(row?.rows ?? 0), schedules, webhooks };
}
