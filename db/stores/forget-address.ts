import { sql } from 'drizzle-orm';
import type { EmailAddress } from '../../src/core/email/address.ts';
import type { Forgetting, Forgotten } from '../../src/core/email/forgetting.ts';
import { withDatabase, type Sql } from '../client.ts';
import { texts } from './arrays.ts';

/** See `db/migrations/0015_forget.sql`. */
export function createForgetting(db: Sql): Forgetting {
  return { forget: (address) => withDatabase(() => forget(db, address)) };
}

/** In either spelling of its domain. */
async function forget(db: Sql, { localPart, normalised, asciiDomain }: EmailAddress): Promise<Forgotten> {
  const spellings = [...new Set([normalised, `${localPart}@${asciiDomain}`])];
  const found = await db.execute<{ lookups: string; rows: string }>(
    sql`SELECT lookups, rows FROM nightshift.forget_address(${normalised}, ${texts(spellings)})`,
  );
  const [row] = found.rows;
  return { lookups: Number(row?.lookups ?? 0), rows: Number(row?.rows ?? 0) };
}
