import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

/**
 * Connects to the host and port of an http(s) address, and goes again: nothing is sent, so nothing is spent. With https the
 * certificate is checked too.
 *
 * @throws Error as the system words it, or `no answer within … ms`.
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
    // What goes wrong while the connection ends is nobody's business any more.
    socket.on('error', () => undefined).destroy();
  }
}

function standardPort(isTls: boolean): number {
  return isTls ? 443 : 80;
}

/** A certificate is asked for by name (RFC 6066 §3), and an IP address is none. */
function serverName(host: string): { servername?: string } {
  return /^[\d.]+$|:/.test(host) ? {} : { servername: host };
}
