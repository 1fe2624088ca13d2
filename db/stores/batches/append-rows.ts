import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { NewLookup, OpenedBatch, RowBlock } from '../../../src/core/batches/batch-store.ts';
import { failpoint } from '../../../src/core/failpoint.ts';
import { Conflict } from '../../../src/core/errors.ts';
import { withClient, type Database, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { copyText } from '../../../src/core/sql/copy-text.ts';
import { copyIn } from '../sql/copy-in.ts';
import { copyBlocks } from './pack-rows.ts';

/** Stores a block in one transaction; see `BatchStore.appendRows`. */
export async function appendRows({ pool }: Database, opened: OpenedBatch, block: RowBlock): Promise<void> {
  // Before the first wait, so that its objects do not outlive it.
  const lookups = piecesOf(block.lookups, (lookup) => lookupLine(opened, lookup));
  // One write instead of many, each of which would wake Postgres.
  const rows = [Buffer.concat(block.rows)];
  const { after } = block;
  await withClient(pool, (client) =>
    drizzle(client).transaction(async (transaction) => {
      await rejectUnlessLoading(transaction, opened);
      await copyIn(client, copyLookups, lookups);
      failpoint('load:lookups-inserted');
      await copyIn(client, copyBlocks, rows);
      failpoint('load:block-inserted');
      await after;
    }),
  );
}

async function rejectUnlessLoading(db: Sql, { batchId }: OpenedBatch): Promise<void> {
  const [loading] = await db
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.id, batchId), eq(batches.state, 'loading')))
    .for('key share');
  if (loading === undefined) {
    throw new Conflict('The batch is no longer being loaded: another process finished it or took it back.');
  }
}

const copyLookups = `COPY nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain,
  company_name, email) FROM STDIN`;

function lookupLine({ accountId, batchId }: OpenedBatch, lookup: NewLookup): string {
  const place = `${lookup.lookupId}\t${accountId}\t${batchId}\t${lookup.operation}`;
  if (lookup.operation === 'email_validation') {
    const { key, email } = lookup.address;
    return `${place}\t${copyText(key)}\t\\N\t\\N\t${copyText(email)}\n`;
  }
  const { key, domain, name } = lookup.company;
  return `${place}\t${copyText(key)}\t${copyText(domain)}\t${copyText(name)}\t\\N\n`;
}

function piecesOf<T>(items: readonly T[], lineOf: (item: T) => string): readonly Uint8Array[] {
  let text = '';
  for (const item of items) text += lineOf(item);
  return text === '' ? [] : [Buffer.from(text)];
}
