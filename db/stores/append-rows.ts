import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { NewLookup, NewRow, OpenedBatch, RowBlock } from '../../src/core/batch/batch-store.ts';
import { crashPoint } from '../../src/core/crash-point.ts';
import { Conflict } from '../../src/core/errors.ts';
import { withClient, type Database, type Sql } from '../client.ts';
import { copyIn, copyText, copyTexts } from './copy-in.ts';

/** Stores a block in one transaction; see `BatchStore.appendRows`. */
export async function appendRows({ pool }: Database, opened: OpenedBatch, block: RowBlock): Promise<void> {
  await withClient(pool, (client) =>
    drizzle(client).transaction(async (transaction) => {
      await refuseUnlessLoading(transaction, opened);
      await copyIn(
        client,
        copyLookups,
        piecesOf(block.lookups, (lookup) => lookupLine(opened, lookup)),
      );
      crashPoint('load:lookups-inserted');
      await copyIn(
        client,
        copyRows,
        piecesOf(block.rows, (row) => rowLine(opened, row)),
      );
      crashPoint('load:block-inserted');
      await block.after;
    }),
  );
}

async function refuseUnlessLoading(db: Sql, { batchId }: OpenedBatch): Promise<void> {
  const loading = await db.execute(
    sql`SELECT 1 FROM nightshift.batches WHERE id = ${batchId} AND state = 'loading' FOR KEY SHARE`,
  );
  if (loading.rows.length === 0) {
    throw new Conflict('The batch is no longer being loaded: another process finished it or took it back.');
  }
}

const copyLookups = `COPY nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain, company_name)
  FROM STDIN`;

function lookupLine({ accountId, batchId }: OpenedBatch, { lookupId, company }: NewLookup): string {
  const { key, domain, name } = company;
  return `${lookupId}\t${accountId}\t${batchId}\tads_search\t${copyText(key)}\t${copyText(domain)}\t${copyText(name)}\n`;
}

const copyRows = `COPY nightshift.batch_rows (batch_id, row_no, line_no, cells, ads_lookup_id, is_first, reject_reason, warning)
  FROM STDIN`;

function rowLine({ batchId }: OpenedBatch, row: NewRow): string {
  const { rowNo, lineNo, cells, adsLookupId, isFirst, rejectReason, warning } = row;
  const place = `${batchId}\t${rowNo}\t${lineNo}\t${copyTexts(cells)}`;
  return `${place}\t${adsLookupId ?? '\\N'}\t${isFirst ? 't' : 'f'}\t${copyText(rejectReason)}\t${copyText(warning)}\n`;
}

function piecesOf<T>(items: readonly T[], lineOf: (item: T) => string): readonly string[] {
  let text = '';
  for (const item of items) text += lineOf(item);
  return text === '' ? [] : [text];
}
