import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../db/connection/client.ts';

test('a session that the server ends in the packet that opens it is an error of the statement, not of the process', async () => {
  const { port } = await openEndingServer();
  const database = openDatabase({
    url: `postgres://night:word@127.0.0.1:${port}/night?sslmode=disable`,
    role: null,
    connectionsMax: 1,
    name: 'nightshift test',
    onIdleError: () => undefined,
  });
  onTestFinished(database.close);
  // An unhandled event would fail the run.
  await expect(database.pool.query('SELECT 1')).rejects.toMatchObject({ code: '57P01' });
});

/** A server that accepts every login, and terminates the session at once, as `pg_terminate_backend` may. */
async function openEndingServer(): Promise<{ readonly port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The first packet is the login.
    socket.once('data', () => socket.end(Buffer.concat([accepted, ready, terminated])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port };
}

/** Message of the protocol: its type, its length, its content (PostgreSQL documentation, "Message Formats"). */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const accepted = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const terminated = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);
