import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { webhooks } from '../../schema/events.ts';
import { schedules } from '../../schema/schedules.ts';
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
  const { id, list } = schedules;
  let changed = 0;
  for (let after = 0; ;) {
    const [next] = await db
      .select({ id, list })
      .from(schedules)
      .where(gt(id, after))
      .orderBy(id)
      .limit(1)
      .for('no key update');
    if (next === undefined) return changed;
    after = next.id;
    const left = withoutAddresses(next.list, spellings);
    if (left.equals(next.list)) continue;
    await db.update(schedules).set({ list: left }).where(eq(id, next.id));
    changed += 1;
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
  const { id, kind, target } = webhooks;
  const isOne = inArray(
    sql`lower(${target})`,
    spellings.map((each) => each.toLowerCase()),
  );
  const removed = await db
    .update(webhooks)
    .set({ state: 'removed', stateReason: 'its address was forgotten', target: '[forgotten]' })
    .where(and(eq(kind, 'email'), isOne))
    .returning({ id });
  for (const webhook of removed) await giveUpDeliveries(db, webhook.id, 'the webhook was removed');
  return removed.length;
}
