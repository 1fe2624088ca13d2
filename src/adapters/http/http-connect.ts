import { lookup as askSystem } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from '../../core/public-address.ts';
import type { IsAllowedHost } from './allowed-hosts.ts';

/** A connection that was never established: no byte of a request has been sent. */
export class NotConnected extends Error {}

/** A connection that the guard rejected: the host has an address that is not public. The address itself is not revealed. */
export class NotPublic extends NotConnected {
  readonly host: string;
  constructor(host: string) {
    super(`${host} has an address that is not public`);
    this.host = host;
  }
}

export interface ConnectOptions {
  /** Hosts whose addresses need not be public. */
  readonly isAllowedHost: IsAllowedHost;
  /** Resolves names. Default: as the system does. */
  readonly lookup?: LookupFunction;
}

/** Time limit of a connection, its TLS handshake included. Our choice; a shorter deadline of the call ends it earlier. */
const connectTimeoutMs = 10_000;

/**
 * Opens the connections of the HTTP client: only to public addresses, except for allowed hosts. Three checks apply: an IP
 * address in the URL, which is never resolved; all addresses of a name, one of which is then connected to without resolving
 * again; and the peer of the connection. Certificates are always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says;
 * NODE_EXTRA_CA_CERTS adds to the trusted ones. Every error is a `NotConnected`.
 */
export function createConnector({
  isAllowedHost,
  lookup = askSystem,
}: ConnectOptions): buildConnector.connector {
  const shared = { timeout: connectTimeoutMs, rejectUnauthorized: true };
  const connectAnywhere = buildConnector({ ...shared, lookup });
  const connectInPublic = buildConnector({ ...shared, lookup: publicOnly(lookup) });
  return (target, callback) => {
    const { hostname } = target;
    if (isAllowedHost(hostname, portOf(target))) {
      connectAnywhere(
        target,
        settle(callback, () => null),
      );
    } else if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) {
      queueMicrotask(() => callback(new NotPublic(hostname), null));
    } else {
      connectInPublic(
        target,
        settle(callback, (socket) => peerError(socket, hostname)),
      );
    }
  };
}

/** The port is empty if it is the default. */
function portOf({ protocol, port }: buildConnector.Options): number {
  const standardPort = protocol === 'https:' ? 443 : 80;
  return port === '' ? standardPort : Number(port);
}

/** Restricts a function that resolves names: it fails with `NotPublic` when one of the addresses is not public. */
export function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      if (error !== null) return callback(error, found, family);
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
      const failure = addresses.every(isPublicAddress) ? null : new NotPublic(hostname);
      callback(failure, found, family);
    });
}

/** Passes on a connection or its error. */
function settle(
  callback: buildConnector.Callback,
  errorOf: (socket: Socket) => Error | null,
): buildConnector.Callback {
  return (error, socket) => {
    const failure = error ?? errorOf(socket);
    if (failure === null && socket !== null) return callback(null, socket);
    socket?.destroy();
    callback(asNotConnected(failure), null);
  };
}

/** Checks the peer address of a connection, as the system reports it; null for a public one. */
export function peerError({ remoteAddress }: Socket, host: string): NotConnected | null {
  // A connection that was lost at once has no peer.
  if (remoteAddress === undefined) return new NotConnected('The connection was lost at once');
  return isPublicAddress(remoteAddress) ? null : new NotPublic(host);
}

function asNotConnected(failure: Error | null): NotConnected {
  return failure instanceof NotConnected ? failure : new NotConnected('No connection', { cause: failure });
}
