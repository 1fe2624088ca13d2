import type { FileSpool } from '../adapters/storage/spool-file.ts';
import type { ClaimedInbox } from '../core/inboxes/inbox-store.ts';
import type { SpooledRows } from '../core/inboxes/inbox-work.ts';
import { defaultFileLimits } from '../producer/rows/read-companies.ts';
import type { Storages } from './storages.ts';

/** Runs the query of an inbox from its position on. Null without rows. @throws StorageRejected | StorageUnavailable */
export async function queryInbox(
  { storages, spool }: { readonly storages: Storages; readonly spool: FileSpool },
  { location, credentials, query, newerBy, cursor, name }: ClaimedInbox,
  signal: AbortSignal,
): Promise<SpooledRows | null> {
  if (location.kind !== 'postgres' || query === null) return null;
  const { databaseName } = await import('../adapters/postgres/connect.ts');
  const { queryRows } = await import('../adapters/postgres/query-rows.ts');
  const client = await storages.openOwnDatabase(location, credentials, signal);
  try {
    const { bytesMax, rowsMax } = defaultFileLimits;
    const options = { spool, fileName: name, where: databaseName(location), bytesMax, rowsMax, signal };
    return await queryRows(client, { query, newerBy, cursor }, options);
  } finally {
    await client.end().catch(() => undefined);
  }
}
