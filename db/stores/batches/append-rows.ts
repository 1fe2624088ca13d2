import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { NewLookup, OpenedBatch, RowBlock } from '../../../src/core/batches/batch-store.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { failpoint } from '../../../src/core/failpoint.ts';
import { Conflict } from '../../../src/core/errors.ts';
import { withClient, type Database, type Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { lookupBlockSpan } from '../../schema/lookups.ts';
import { copyIn, copyTexts, copyTextsUnlessNull } from '../sql/copy-in.ts';
import { copyBlocks } from './pack-rows.ts';

/** Stores a block in one transaction; see `BatchStore.appendRows`. */
export async function appendRows({ pool }: Database, opened: OpenedBatch, block: RowBlock): Promise<void> {
  // Before the first wait, so that its objects do not outlive it.
  const lookups = piecesOf(lookupBlocksOf(block.lookups), (some) => lookupBlockLine(opened, some));
  // One write instead of many, each of which would wake Postgres.
  const rows = [Buffer.concat(block.rows)];
  const { after } = block;
  await withClient(pool, (client) =>
    drizzle(client).transaction(async (transaction) => {
      await rejectUnlessLoading(transaction, opened);
      await copyIn(client, copyLookupBlocks, lookups);
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

const copyLookupBlocks = `COPY nightshift.lookup_blocks (batch_id, operation, first_id, account_id, ids, subject_keys, company_domains,
  company_names, emails) FROM STDIN`;

type LookupOf<O extends Operation> = Extract<NewLookup, { operation: O }>;

/** Lookups of one operation in the order of their ids. */
type LookupBlock =
  | { readonly operation: 'ads_search'; readonly lookups: readonly LookupOf<'ads_search'>[] }
  | { readonly operation: 'email_validation'; readonly lookups: readonly LookupOf<'email_validation'>[] };

function lookupBlocksOf(lookups: readonly NewLookup[]): readonly LookupBlock[] {
  const ads = lookups.filter((lookup) => lookup.operation === 'ads_search');
  const emails = lookups.filter((lookup) => lookup.operation === 'email_validation');
  return [
    ...spansOf(ads).map((span) => ({ operation: 'ads_search' as const, lookups: span })),
    ...spansOf(emails).map((span) => ({ operation: 'email_validation' as const, lookups: span })),
  ];
}

/** Divides lookups into spans of ids that a block may have. */
function spansOf<T extends NewLookup>(lookups: readonly T[]): readonly (readonly T[])[] {
  const spans: T[][] = [];
  let end = 0n;
  for (const lookup of lookups) {
    if (lookup.lookupId >= end) {
      spans.push([]);
      end = lookup.lookupId + BigInt(lookupBlockSpan);
    }
    spans.at(-1)?.push(lookup);
  }
  return spans;
}

function lookupBlockLine({ accountId, batchId }: OpenedBatch, { operation, lookups }: LookupBlock): string {
  const ids = lookups.map(({ lookupId }) => lookupId);
  const place = `${batchId}\t${operation}\t${ids[0] ?? 0n}\t${accountId}\t{${ids.join(',')}}`;
  if (operation === 'email_validation') {
    const addresses = lookups.map(({ address }) => address);
    return `${place}\t${copyTexts(addresses.map(({ key }) => key))}\t\\N\t\\N\t${copyTexts(addresses.map(({ email }) => email))}\n`;
  }
  const companies = lookups.map(({ company }) => company);
  const domains = copyTextsUnlessNull(companies.map(({ domain }) => domain));
  const names = copyTextsUnlessNull(companies.map(({ name }) => name));
  return `${place}\t${copyTexts(companies.map(({ key }) => key))}\t${domains}\t${names}\t\\N\n`;
}

function piecesOf<T>(items: readonly T[], lineOf: (item: T) => string): readonly Uint8Array[] {
  let text = '';
  for (const item of items) text += lineOf(item);
  return text === '' ? [] : [Buffer.from(text)];
}
