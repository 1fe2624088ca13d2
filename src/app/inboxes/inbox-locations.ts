import type { FileSpool } from '../../adapters/storage/spool-file.ts';
import { isArrival } from '../../core/inboxes/file-names.ts';
import type { InboxTerms } from '../../core/inboxes/inbox.ts';
import type { ClaimedInbox, InboxAccess } from '../../core/inboxes/inbox-store.ts';
import type { SpooledRows } from '../../core/inboxes/inbox-work.ts';
import type { Location, PostgresLocation } from '../../core/storage/location.ts';
import type { StorageFile } from '../../core/storage/storage.ts';
import { defaultFileLimits } from '../../producer/rows/read-companies.ts';
import type { Storages } from '../storages.ts';

/** A location to open, with its secrets. */
export type LocationToTry = Pick<InboxTerms, 'location' | 'pattern' | 'query' | 'newerBy'> & InboxAccess;

/** Content of a location: the files that an inbox would load, or the columns of its query. */
export interface TriedLocation {
  /** With the key that the SFTP server shows, unless a person has given one. */
  readonly location: Location;
  readonly files: readonly StorageFile[];
  /** True when there are more files than shown. */
  readonly isCut: boolean;
  /** Null for a location with files. */
  readonly columns: readonly string[] | null;
}

/** Maximum number of files that are shown. */
const filesShown = 1000;

/** Opens a location, and lists its files or runs its query. */
export async function tryLocation(
  storages: Storages,
  place: LocationToTry,
  signal: AbortSignal,
): Promise<TriedLocation> {
  if (place.location.kind === 'postgres') return tryQuery(storages, place, place.location, signal);
  const location = await withHostKey(storages, place.location, signal);
  const options = { isOfAccount: !place.isOperators };
  const storage = await storages.openStorage(location, place.credentials, options);
  try {
    const files: StorageFile[] = [];
    for await (const page of storage.list(signal)) {
      files.push(...page.filter(({ path }) => isArrival(path, place.pattern)));
      if (files.length > filesShown) break;
    }
    const isCut = files.length > filesShown;
    return { location, files: files.slice(0, filesShown), isCut, columns: null };
  } finally {
    await storage.close();
  }
}

/** Runs the query of an inbox from its position on. Null without rows. @throws StorageRejected | StorageUnavailable */
export async function queryInbox(
  { storages, spool }: { readonly storages: Storages; readonly spool: FileSpool },
  { location, credentials, query, newerBy, cursor, name }: ClaimedInbox,
  signal: AbortSignal,
): Promise<SpooledRows | null> {
  if (location.kind !== 'postgres' || query === null) return null;
  const { databaseName } = await import('../../adapters/postgres/connect.ts');
  const { queryRows } = await import('../../adapters/postgres/query-rows.ts');
  const client = await storages.openOwnDatabase(location, credentials, signal);
  try {
    const { bytesMax, rowsMax } = defaultFileLimits;
    const options = { spool, fileName: name, where: databaseName(location), bytesMax, rowsMax, signal };
    return await queryRows(client, { query, newerBy, cursor }, options);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Completes the location of an SFTP folder: from now on, another key is rejected. */
async function withHostKey(storages: Storages, location: Location, signal: AbortSignal): Promise<Location> {
  if (location.kind !== 'sftp' || location.hostKey !== null) return location;
  return { ...location, hostKey: await storages.readHostKey(location, signal) };
}

async function tryQuery(
  storages: Storages,
  { credentials, query, newerBy }: LocationToTry,
  location: PostgresLocation,
  signal: AbortSignal,
): Promise<TriedLocation> {
  const { databaseName } = await import('../../adapters/postgres/connect.ts');
  const { readColumns } = await import('../../adapters/postgres/query-rows.ts');
  const client = await storages.openOwnDatabase(location, credentials, signal);
  try {
    const columns = await readColumns(client, { query: query ?? '', newerBy }, databaseName(location));
    return { location, files: [], isCut: false, columns };
  } finally {
    await client.end().catch(() => undefined);
  }
}
