import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { webhooks } from '../../schema/events.ts';
import { schedules } from '../../schema/schedules.ts';
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
  const { id, fileContent } = schedules;
  let changed = 0;
  for (let after = 0; ;) {
    const [next] = await db
      .select({ id, fileContent })
      .from(schedules)
      .where(gt(id, after))
      .orderBy(id)
      .limit(1)
      .for('no key update');
    if (next === undefined) return changed;
    after = next.id;
    const left = withoutAddresses(next.fileContent, spellings);
    if (left.equals(next.fileContent)) continue;
    await db.update(schedules).set({ fileContent: left }).where(eq(id, next.id));
    changed += 1;
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
  const { id, kind, target } = webhooks;
  const isOne = inArray(
    sql`lower(${target})`,
    spellings.map((each) => each.toLowerCase()),
  );
  const removed = await db
    .update(webhooks)
    .set({ state: 'removed', stateReason: 'its address was erased', target: '[erased]' })
    .where(and(eq(kind, 'email'), isOne))
    .returning({ id });
  for (const webhook of removed) await giveUpDeliveries(db, webhook.id, 'the webhook was removed');
  return removed.length;
}
