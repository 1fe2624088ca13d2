import { connect, Socket } from 'node:net';
import type pg from 'pg';

/** Time without a byte from the server after which a connection that waits for an answer checks whether the server is there. */
const silentMs = 2500;
/** Time in which a server answers the check, or counts as gone. */
const answerMs = 7500;

/**
 * Ends a connection that waits for an answer when its server no longer answers at all: its machine is off, cut off or frozen, and closed no connection.
 * The system would notice after about 15 minutes. A server that only works long on a statement answers, and is waited for.
 */
export function endWhenSilent(client: pg.Client): void {
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) return;
  let bytesRead = -1;
  let isChecking = false;
  const timer = setInterval(() => {
    const isSilent = isWaiting(client) && stream.bytesRead === bytesRead;
    bytesRead = stream.bytesRead;
    if (!isSilent || isChecking) return;
    isChecking = true;
    void isThere(stream).then((there) => {
      isChecking = false;
      if (!there && stream.bytesRead === bytesRead)
        stream.destroy(
          Object.assign(new Error('Connection terminated: the server does not answer'), {
            code: 'ETIMEDOUT',
          }),
        );
    });
  }, silentMs);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}

function isWaiting(client: pg.Client): boolean {
  return Reflect.get(client, 'readyForQuery') === false;
}

/** Checks that run at the moment, by address: many connections wait for the same server. */
const checks = new Map<string, Promise<boolean>>();

function isThere({ remoteAddress, remotePort }: Socket): Promise<boolean> {
  // A socket of the file system, or one that has just closed.
  if (remoteAddress === undefined || remotePort === undefined) return Promise.resolve(true);
  const key = `${remoteAddress} ${remotePort}`;
  const current = checks.get(key);
  if (current !== undefined) return current;
  const check = answers(remoteAddress, remotePort).finally(() => checks.delete(key));
  checks.set(key, check);
  return check;
}

/** Request for encryption (PostgreSQL, "Message Formats": SSLRequest), which servers and poolers answer with one byte before any login. */
const encryptionRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** True if anything comes back. A refused connection counts: that machine closes its connections itself. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => end(false), answerMs);
    const end = (found: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(found);
    };
    socket.on('connect', () => socket.write(encryptionRequest));
    socket.on('data', () => end(true));
    socket.on('close', () => end(true));
    socket.on('error', (error) =>
      end('code' in error && error.code !== 'ETIMEDOUT' && error.code !== 'EHOSTUNREACH'),
    );
  });
}
