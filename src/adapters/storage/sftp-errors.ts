import { EnrichError, StorageRejected, StorageUnavailable } from '../../core/errors.ts';

/** The connection ended before an answer came. */
export class ConnectionLost extends Error {}

/** Status codes of SFTP, version 3 (draft-ietf-secsh-filexfer-02, section 7). */
const noSuchFile = 2;
const permissionDenied = 3;
const unsupported = 8;

/** True when a request failed because the file or its folder does not exist. */
export function isNoSuchFile(error: unknown): boolean {
  return statusOf(error) === noSuchFile;
}

/**
 * Converts an error of a connection or a request. An error of ours is returned as it is, and one that is not of SSH, too.
 *
 * @param where name of the server in messages, without secrets.
 */
export function sshError(error: unknown, where: string): unknown {
  if (error instanceof EnrichError || !(error instanceof Error)) return error;
  if (error instanceof ConnectionLost) return unavailable(where, 'cut off the connection', error);
  if (error.message.startsWith('Cannot parse privateKey')) {
    return rejected(
      where,
      'was not called: the private key cannot be read. Check it and its passphrase',
      error,
    );
  }
  const level = 'level' in error ? String(error.level) : '';
  switch (level) {
    case 'client-authentication':
      return rejected(
        where,
        'rejects the user or the credentials. Check user name, password or private key',
        error,
      );
    case 'handshake':
    case 'protocol':
    case 'sftp-protocol':
      return rejected(
        where,
        'does not speak SSH as Nightshift does. Check host and port, or update the server',
        error,
      );
    case 'client-timeout':
    case 'client-socket':
      return unavailable(where, 'cut off the connection', error);
    default:
      return requestError(error, where);
  }
}

function requestError(error: Error, where: string): unknown {
  const status = statusOf(error);
  if (status === permissionDenied)
    return rejected(where, 'denies the permission. Change those of the folder', error);
  if (status === noSuchFile) return rejected(where, 'has no such folder. Create it, or name another', error);
  if (status === unsupported) return rejected(where, 'does not support the operation', error);
  if (status !== null) return unavailable(where, `could not do it (status ${status})`, error);
  // The library's own, when the channel ends or cannot be opened.
  if (
    /No response from server|Channel open failure|Unable to start subsystem|Not connected/.test(error.message)
  ) {
    return unavailable(where, 'offers no SFTP, or has ended it', error);
  }
  return error;
}

function statusOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
}

function rejected(where: string, problem: string, cause: Error): StorageRejected {
  return new StorageRejected(`${where} ${problem}.`, { cause });
}

function unavailable(where: string, problem: string, cause: Error): StorageUnavailable {
  return new StorageUnavailable(`${where} ${problem}.`, { cause });
}
