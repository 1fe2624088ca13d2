import { readAllowedHosts } from '../adapters/http/allowed-hosts.ts';
import type { Config } from '../config/config.ts';
import { ValidationError } from '../core/errors.ts';
import type { Credentials } from '../core/storage/credentials.ts';
import type { Location } from '../core/storage/location.ts';
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
}

/** Creates the opener with the hosts and folders that the operator allows. */
export function createStorages({
  allowedHosts,
  folders,
}: Pick<Config, 'allowedHosts' | 'folders'>): Storages {
  const isAllowedHost = readAllowedHosts(allowedHosts);
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
        default:
          throw new ValidationError(`A location of the kind ${location.kind} holds no files.`);
      }
    },
  };
}
