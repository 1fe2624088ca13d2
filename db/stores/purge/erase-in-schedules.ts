import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';
import { giveUpDeliveries } from '../events/give-up-deliveries.ts';

/** The encodings that lists come in; of the others, addresses are written as in one of these. */
const encoders: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text, 'utf8'),
  (text) => Buffer.from(text, 'latin1'),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(text, 'utf16le').swap16(),
];

/** Takes addresses out of the lists that scans are loaded from; answers how many lists had one. One list at a time is in memory. */
export async function forgetInSchedules(db: Sql, spellings: readonly string[]): Promise<number> {
  let schedules = 0;
  for (let after = '0'; ;) {
    const { rows } = await db.execute<{ id: string; list: Buffer }>(
      sql`SELECT id, list FROM nightshift.schedules WHERE id > ${after}::bigint ORDER BY id LIMIT 1 FOR NO KEY UPDATE`,
    );
    const [row] = rows;
    if (row === undefined) return schedules;
    after = row.id;
    const list = withoutAddresses(row.list, spellings);
    if (list.equals(row.list)) continue;
    await db.execute(sql`UPDATE nightshift.schedules SET list = ${list} WHERE id = ${row.id}::bigint`);
    schedules += 1;
  }
}

/** Removes addresses from a stored file. Byte by byte, so that nothing else of it changes. */
export function withoutAddresses(list: Buffer, spellings: readonly string[]): Buffer {
  let bytes = list.toString('latin1');
  for (const encode of encoders) {
    const forgotten = encode('[forgotten]').toString('latin1');
    for (const spelling of spellings) {
      const written = encode(spelling).toString('latin1');
      bytes = bytes.replace(new RegExp(written.replace(/[^a-z0-9]/gi, escapeByte), 'gi'), () => forgotten);
    }
  }
  return Buffer.from(bytes, 'latin1');
}

function escapeByte(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** Removes the webhooks that write to such an address, and takes it out of them; answers how many there were. */
export async function forgetMailTargets(db: Sql, spellings: readonly string[]): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(
    sql`UPDATE nightshift.webhooks SET state = 'removed', state_reason = 'its address was forgotten', target = '[forgotten]'
      WHERE kind = 'email' AND lower(target) = ANY (${texts(spellings.map((each) => each.toLowerCase()))}) RETURNING id`,
  );
  for (const { id } of rows) await giveUpDeliveries(db, Number(id), 'the webhook was removed');
  return rows.length;
}
