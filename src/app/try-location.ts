import { isArrival } from '../core/inboxes/file-names.ts';
import type { InboxTerms } from '../core/inboxes/inbox.ts';
import type { InboxAccess } from '../core/inboxes/inbox-store.ts';
import type { Location } from '../core/storage/location.ts';
import type { StorageFile } from '../core/storage/storage.ts';
import type { Storages } from './storages.ts';

/** A location to open, with its secrets. */
export type LocationToTry = Pick<InboxTerms, 'location' | 'pattern' | 'query' | 'newerBy'> & InboxAccess;

/** Content of a location: the files that an inbox would load. */
export interface TriedLocation {
  /** With the key of an SFTP server that the connection has seen. */
  readonly location: Location;
  readonly files: readonly StorageFile[];
  /** True when there are more files than shown. */
  readonly isCut: boolean;
}

/** Maximum number of files that are shown. */
const filesShown = 1000;

/** Opens a location and lists its files. */
export async function tryLocation(
  storages: Storages,
  { location, pattern, credentials, isOperators }: LocationToTry,
  signal: AbortSignal,
): Promise<TriedLocation> {
  const storage = await storages.openStorage(location, credentials, { isOfAccount: !isOperators });
  try {
    const files: StorageFile[] = [];
    for await (const page of storage.list(signal)) {
      files.push(...page.filter(({ path }) => isArrival(path, pattern)));
      if (files.length > filesShown) break;
    }
    return { location, files: files.slice(0, filesShown), isCut: files.length > filesShown };
  } finally {
    await storage.close();
  }
}
