import { readAllowedHosts } from '../adapters/http/allowed-hosts.ts';
import type { openOwnDatabase } from '../adapters/postgres/connect.ts';
import type { Config } from '../config/config.ts';
import { ValidationError } from '../core/errors.ts';
import type { Credentials } from '../core/storage/credentials.ts';
import type { Location, PostgresLocation, SftpLocation } from '../core/storage/location.ts';
import type { Storage } from '../core/storage/storage.ts';

export interface OpenStorageOptions {
  /** True when an account named the location. Its folder must then really be in NIGHTSHIFT_FOLDERS, also where it is a link. */
  readonly isOfAccount?: boolean;
}

/** Opener of the places that lists arrive in and results land in. It loads an adapter with its first use. */
export interface Storages {
  /** Opens a storage for files. Close it. @throws ValidationError for a database, which holds no files. */
  readonly openStorage: (
    location: Location,
    credentials: Credentials | null,
    options?: OpenStorageOptions,
  ) => Promise<Storage>;
  /**
   * Reads the key that an SFTP server shows, as `SHA256:…`. Record it in the location after a person has compared it: without it, the storage
   * is rejected.
   */
  readonly readHostKey: (location: SftpLocation, signal: AbortSignal) => Promise<string>;
  /** Connects to a Postgres server of the user's own. End the client. @throws StorageRejected | StorageUnavailable */
  readonly openOwnDatabase: (
    location: PostgresLocation,
    credentials: Credentials | null,
    signal: AbortSignal,
  ) => ReturnType<typeof openOwnDatabase>;
}

/** Creates the opener with the hosts and folders that the operator allows. */
export function createStorages({
  allowedHosts,
  folders,
}: Pick<Config, 'allowedHosts' | 'folders'>): Storages {
  const isAllowedHost = readAllowedHosts(allowedHosts);
  const left = new Map<string, Set<string>>();

  /** Temporary files that lost connections have left on a server: a storage that is opened later removes them. */
  function leftOn({ user, host, port }: SftpLocation): Set<string> {
    const server = `${user}@${host}:${port}`;
    const files = left.get(server) ?? new Set();
    left.set(server, files);
    return files;
  }

  return {
    async openStorage(location, credentials, { isOfAccount = false } = {}) {
      switch (location.kind) {
        case 'folder': {
          const { openFolderStorage } = await import('../adapters/storage/folder.ts');
          return openFolderStorage(location, { within: isOfAccount ? folders : null });
        }
        case 's3': {
          const { openS3Storage } = await import('../adapters/storage/s3.ts');
          return openS3Storage(location, { credentials, isAllowedHost });
        }
        case 'sftp': {
          const { openSftpStorage } = await import('../adapters/storage/sftp.ts');
          return openSftpStorage(location, { credentials, isAllowedHost, left: leftOn(location) });
        }
        case 'https': {
          const { openHttpsStorage } = await import('../adapters/storage/https.ts');
          return openHttpsStorage(location, { credentials, isAllowedHost });
        }
        case 'postgres':
          throw new ValidationError(
            'A database holds no files. Use a folder, bucket, SFTP folder or web address.',
          );
      }
    },
    async readHostKey(location, signal) {
      const { readHostKey } = await import('../adapters/storage/sftp.ts');
      return readHostKey(location, { isAllowedHost }, signal);
    },
    async openOwnDatabase(location, credentials, signal) {
      const { openOwnDatabase } = await import('../adapters/postgres/connect.ts');
      return openOwnDatabase(location, credentials, { isAllowedHost, signal });
    },
  };
}
