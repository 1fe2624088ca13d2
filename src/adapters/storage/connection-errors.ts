import { StorageRejected, StorageUnavailable } from '../../core/errors.ts';
import { NotConnected, NotPublic } from '../http/http-connect.ts';

/**
 * Converts an error of a connection that was never established. Any other error is returned as it is.
 *
 * @param where name of the storage in messages, without secrets.
 */
export function notConnectedError(error: unknown, where: string): unknown {
  if (!(error instanceof NotConnected)) return error;
  if (error instanceof NotPublic) {
    const remedy = `If it is one of your own network, list ${error.host} in NIGHTSHIFT_ALLOWED_HOSTS.`;
    return new StorageRejected(`${error.host} has an address that is not public. ${remedy}`, {
      cause: error,
    });
  }
  const code = errorCode(error.cause ?? error);
  return isCertificate(code)
    ? new StorageRejected(`${where} has a certificate that is not valid (${code}).`, { cause: error })
    : new StorageUnavailable(`${where} cannot be reached (${code}).`, { cause: error });
}

/** Returns the code of an error of the system or of Node, such as ECONNREFUSED; else its name. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  // All addresses of a name failed; their errors are alike.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  if (first instanceof Error && 'code' in first && typeof first.code === 'string') return first.code;
  return error.name;
}

/** Codes of Node's TLS for a certificate that does not prove the host. */
export function isCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(code);
}
