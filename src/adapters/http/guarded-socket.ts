import { lookup as askSystem } from 'node:dns';
import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { isPublicAddress } from '../../core/public-address.ts';
import { abortReason, onAbort } from '../../core/async/race-abort.ts';
import { NotConnected, NotPublic, peerError, publicOnly, type ConnectOptions } from './http-connect.ts';

/** A server of another protocol than HTTP. */
export interface SocketTarget {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a TCP connection with the rules of all outgoing calls: only to public addresses, except for allowed hosts. A name is resolved once,
 * all of its addresses are checked, and one of them is connected to.
 *
 * @throws NotConnected, or the reason of the signal.
 */
export async function openGuardedSocket(
  { host, port }: SocketTarget,
  { isAllowedHost, lookup = askSystem }: ConnectOptions,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const isAllowed = isAllowedHost(host.toLowerCase(), port);
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) throw new NotPublic(host);
  const resolve: LookupFunction = isAllowed ? lookup : publicOnly(lookup);
  const socket = connect({ host, port, lookup: resolve, noDelay: true });
  const forget = onAbort(signal, () => socket.destroy(abortReason(signal)));
  try {
    await once(socket, 'connect');
    const wrong = isAllowed ? null : peerError(socket, host);
    if (wrong === null) return socket;
    socket.destroy();
    throw wrong;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof NotConnected ? error : new NotConnected('No connection', { cause: error });
  } finally {
    forget();
  }
}
