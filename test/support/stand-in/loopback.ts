import { once } from 'node:events';
import type { Server } from 'node:http';

/** A server that listens on 127.0.0.1. */
export interface Loopback {
  readonly url: string;
  /** Number of accepted connections so far. */
  readonly connections: () => number;
  /** Listens again at the same address. */
  readonly listen: () => Promise<void>;
  /** Stops listening and cuts open connections. */
  readonly close: () => Promise<void>;
}

/** Lets an HTTP server listen on 127.0.0.1, on a free port unless one is given. */
export async function listenOnLoopback(server: Server, port = 0): Promise<Loopback> {
  // An idle connection that a busy server closes while a request arrives is a call in doubt: only the client closes them.
  server.keepAliveTimeout = 0;
  let connections = 0;
  server.on('connection', () => (connections += 1));
  async function listenOn(freeOrGiven: number): Promise<void> {
    server.listen(freeOrGiven, '127.0.0.1');
    await once(server, 'listening');
  }
  await listenOn(port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => connections,
    listen: () => listenOn(address.port),
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
