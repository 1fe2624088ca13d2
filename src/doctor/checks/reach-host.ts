import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

/**
 * Connects to the host and port of an http(s) URL and disconnects. Sends nothing, so nothing is charged. With https, it checks the
 * certificate as well.
 *
 * @throws Error of the system, or `no answer within … ms`.
 */
export async function reachHost(address: string, timeoutMs: number): Promise<void> {
  const { protocol, hostname, port } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = protocol === 'https:';
  const target = { host, port: port === '' ? standardPort(isTls) : Number(port) };
  const socket = isTls ? connectTls({ ...target, ...serverName(host) }) : connectTcp(target);
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect');
  } finally {
    clearTimeout(timer);
    // Errors while the connection closes are irrelevant.
    socket.on('error', () => undefined).destroy();
  }
}

function standardPort(isTls: boolean): number {
  return isTls ? 443 : 80;
}

/** Returns the server name for the certificate (RFC 6066 §3); an IP address has none. */
function serverName(host: string): { servername?: string } {
  return /^[\d.]+$|:/.test(host) ? {} : { servername: host };
}
