import { lookup as askSystem } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { EnrichError, StorageRejected } from '../../core/errors.ts';
import { isPublicAddress } from '../../core/public-address.ts';
import type { Credentials } from '../../core/storage/credentials.ts';
import type { PostgresLocation } from '../../core/storage/location.ts';
import { NotConnected, NotPublic, publicOnly, type ConnectOptions } from '../http/http-connect.ts';
import { notConnectedError } from '../storage/connection-errors.ts';
import { withinTime } from '../storage/time-limits.ts';
import { ownDatabaseError } from './database-errors.ts';

export interface OwnDatabaseOptions extends ConnectOptions {
  readonly signal: AbortSignal;
  /** Time limit of the connection, TLS and login included. Default 20 s. */
  readonly connectMs?: number;
  /** Time limit of a statement. Default 60 s. */
  readonly statementMs?: number;
}

/**
 * Connects to a Postgres server of the user's own. Close the client with `end`.
 *
 * The host is resolved once; all of its addresses must be public, or the operator allows the host, and one of them is connected to. Translate
 * the errors of statements with `ownDatabaseError`.
 *
 * @throws StorageRejected | StorageUnavailable without any secret.
 */
export async function openOwnDatabase(
  location: PostgresLocation,
  credentials: Credentials | null,
  { signal, connectMs = 20_000, statementMs = 60_000, ...options }: OwnDatabaseOptions,
): Promise<pg.Client> {
  const where = databaseName(location);
  if (location.sslMode === 'disable' && !options.isAllowedHost(location.host.toLowerCase(), location.port)) {
    throw new StorageRejected(
      `${where} is called with TLS only. If it is a host of your own network, list ${location.host} in NIGHTSHIFT_ALLOWED_HOSTS.`,
    );
  }
  return withinTime({ signal, deadlineMs: connectMs, where }, async (inner) => {
    try {
      const addresses = await resolveHost(location, options);
      return await connectFirst(addresses, (address) => {
        inner.throwIfAborted();
        return connectTo(address, { location, credentials, signal: inner, statementMs });
      });
    } catch (error) {
      if (error instanceof EnrichError) throw error;
      throw ownDatabaseError(notConnectedError(error, where), where);
    }
  });
}

/** Name of a database in messages. */
export function databaseName({ host, port, database }: PostgresLocation): string {
  return `The database ${database} at ${host}${port === 5432 ? '' : `:${port}`}`;
}

/** Returns the addresses of a host, after the guard has seen them all. @throws NotConnected */
function resolveHost(
  { host, port }: PostgresLocation,
  { isAllowedHost, lookup = askSystem }: ConnectOptions,
): Promise<readonly string[]> {
  const isAllowed = isAllowedHost(host.toLowerCase(), port);
  if (isIP(host) !== 0) {
    return isAllowed || isPublicAddress(host) ? Promise.resolve([host]) : Promise.reject(new NotPublic(host));
  }
  const resolve: LookupFunction = isAllowed ? lookup : publicOnly(lookup);
  return new Promise((fulfil, reject) => {
    resolve(host, { all: true }, (error, found) => {
      if (error === null)
        return fulfil(typeof found === 'string' ? [found] : found.map(({ address }) => address));
      reject(error instanceof NotConnected ? error : new NotConnected('No connection', { cause: error }));
    });
  });
}

/** Tries the addresses in turn until one is connected to. A server that answers with an error is not passed over. */
async function connectFirst(
  addresses: readonly string[],
  connect: (address: string) => Promise<pg.Client>,
): Promise<pg.Client> {
  let last: unknown = new NotConnected('The host has no address');
  for (const address of addresses) {
    try {
      return await connect(address);
    } catch (error) {
      last = error;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (!/^E(CONNREFUSED|NETUNREACH|HOSTUNREACH|ADDRNOTAVAIL|TIMEDOUT)$/.test(String(code))) break;
    }
  }
  throw last;
}

interface Connection {
  readonly location: PostgresLocation;
  readonly credentials: Credentials | null;
  readonly signal: AbortSignal;
  readonly statementMs: number;
}

async function connectTo(
  address: string,
  { location, credentials, signal, statementMs }: Connection,
): Promise<pg.Client> {
  const client = new pg.Client({
    host: address,
    port: location.port,
    user: location.user,
    database: location.database,
    // A function, because pg takes the operator's PGPASSWORD or ~/.pgpass instead of an empty text.
    password: () => credentials?.password ?? '',
    ssl: tlsOf(location),
    application_name: 'nightshift',
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: 5 * statementMs,
    keepAlive: true,
  });
  // A connection that is lost between statements; the next statement fails. Without a listener it would end the process.
  client.on('error', () => {});
  const stop = () => void client.end().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    return client;
  } catch (error) {
    stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The certificate is that of the name in the location, not of the address. A server name is never an address (RFC 6066 §3). */
function tlsOf({ host, sslMode }: PostgresLocation): false | ConnectionOptions {
  if (sslMode === 'disable') return false;
  const name = isIP(host) === 0 ? { servername: host } : { host };
  return { ...name, rejectUnauthorized: sslMode === 'verify-full' };
}
