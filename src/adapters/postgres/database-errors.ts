import { EnrichError, StorageRejected, StorageUnavailable } from '../../core/errors.ts';
import { errorCode, isCertificate } from '../storage/connection-errors.ts';

/** Remedies by SQLSTATE (Postgres, Appendix A). A map, because a code is untrusted text and an object has inherited keys. */
const rejections: ReadonlyMap<string, string> = new Map([
  ['28000', 'rejects the user. Check user, pg_hba.conf and whether TLS is required'],
  ['28P01', 'rejects the password. Check user and password'],
  ['3D000', 'does not exist. Check the name of the database'],
  ['42501', 'denies the permission. Grant it to the user'],
  ['25006', 'can only be read. Use the address of its primary server'],
]);

/** Classes and codes that can pass by themselves: connection, resources, operator, system, serialization, locks. */
const passing = /^(08|53|57|58|40|55P03)/;

/**
 * Converts an error of a connection or a statement. An error of ours, and one that is neither of Postgres nor of a connection, is returned as
 * it is. The message contains the SQLSTATE and nothing that the server wrote, which may repeat values.
 *
 * @param where name of the database in messages, without secrets.
 */
export function ownDatabaseError(error: unknown, where: string): unknown {
  if (error instanceof EnrichError || !(error instanceof Error)) return error;
  const code = errorCode(error);
  if (/^[0-9A-Z]{5}$/.test(code) && 'severity' in error) return stateError(code, where, error);
  if (isCertificate(code)) {
    return new StorageRejected(
      `${where} has a certificate that does not prove the host (${code}). Use sslmode=require to accept it, or NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  }
  if (/does not support SSL/.test(error.message)) {
    return new StorageRejected(`${where} does not support TLS. Turn it on at the server.`, { cause: error });
  }
  if (/SCRAM|SASL|password must be a string/.test(error.message)) {
    return new StorageRejected(`${where} asks for a password. Check user and password.`, { cause: error });
  }
  if (/^E[A-Z]+$/.test(code) || /^ERR_(SSL|TLS)/.test(code)) {
    return new StorageUnavailable(`${where} cannot be reached (${code}).`, { cause: error });
  }
  if (/Connection terminated|Client (has encountered|was closed)|Query read timeout/.test(error.message)) {
    return new StorageUnavailable(`${where} cut off the connection.`, { cause: error });
  }
  return error;
}

function stateError(code: string, where: string, cause: Error): EnrichError {
  if (passing.test(code))
    return new StorageUnavailable(`${where} cannot do it at the moment (${code}).`, { cause });
  const rejection = rejections.get(code) ?? 'rejects the statement. Check table, columns and permissions';
  return new StorageRejected(`${where} ${rejection} (${code}).`, { cause });
}
