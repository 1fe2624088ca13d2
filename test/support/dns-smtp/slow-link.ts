import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SlowLink {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Adds latency before a port of 127.0.0.1: everything, including connecting, takes as long as over a link with this round trip. */
export async function openSlowLink(port: number, roundTripMs: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = new Promise<Socket>((resolve) => {
      // A handshake and a half: the server learns of the connection with its last packet.
      setTimeout(() => resolve(connect(port, '127.0.0.1')), roundTripMs * 1.5);
    });
    carry(near, far, roundTripMs / 2);
    void far.then((socket) => {
      sockets.add(socket);
      carry(socket, Promise.resolve(near), roundTripMs / 2);
    });
    sockets.add(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function carry(from: Socket, to: Promise<Socket>, delayMs: number): void {
  const after = (deliver: (socket: Socket) => void) => {
    setTimeout(() => void to.then(deliver), delayMs);
  };
  from.on('data', (chunk: Buffer) => after((socket) => socket.write(chunk)));
  from.on('end', () => after((socket) => socket.end()));
  from.on('error', () => after((socket) => socket.destroy()));
  from.setNoDelay(true);
}
