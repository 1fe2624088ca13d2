import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { giveUpDeliveries } from '../events/give-up-deliveries.ts';

/** Encodings of submitted files. Any other encoding writes an address as one of these does. */
const encoders: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text, 'utf8'),
  (text) => Buffer.from(text, 'latin1'),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(text, 'utf16le').swap16(),
];

/** Erases addresses from the files of schedules. Returns the number of changed files. Holds one file in memory at a time. */
export async function eraseInSchedules(db: Sql, spellings: readonly string[]): Promise<number> {
  let schedules = 0;
  for (let after = '0'; ;) {
    const { rows } = await db.execute<{ id: string; file_content: Buffer }>(
      sql`SELECT id, file_content FROM nightshift.schedules WHERE id > ${after}::bigint ORDER BY id LIMIT 1 FOR NO KEY UPDATE`,
    );
    const [row] = rows;
    if (row === undefined) return schedules;
    after = row.id;
    const content = withoutAddresses(row.file_content, spellings);
    if (content.equals(row.file_content)) continue;
    await db.execute(
      sql`UPDATE nightshift.schedules SET file_content = ${content} WHERE id = ${row.id}::bigint`,
    );
    schedules += 1;
  }
}

/** Erases addresses from a file, byte by byte: the rest of the file stays as it is. */
export function withoutAddresses(content: Buffer, spellings: readonly string[]): Buffer {
  let bytes = content.toString('latin1');
  for (const encode of encoders) {
    const replacement = encode('[erased]').toString('latin1');
    for (const spelling of spellings) {
      const written = encode(spelling).toString('latin1');
      bytes = bytes.replace(new RegExp(written.replace(/[^a-z0-9]/gi, escapeByte), 'gi'), () => replacement);
    }
  }
  return Buffer.from(bytes, 'latin1');
}

function escapeByte(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** Removes webhooks that send mail to an address, and erases the address. Returns the number of webhooks. */
export async function eraseMailTargets(db: Sql, spellings: readonly string[]): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(
    sql`UPDATE nightshift.webhooks SET state = 'removed', state_reason = 'its address was erased', target = '[erased]'
      WHERE kind = 'email' AND lower(target) = ANY (${texts(spellings.map((each) => each.toLowerCase()))}) RETURNING id`,
  );
  for (const { id } of rows) await giveUpDeliveries(db, Number(id), 'the webhook was removed');
  return rows.length;
}
