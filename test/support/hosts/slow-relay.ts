import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay that holds what it passes on. */
export interface SlowRelay {
  /** Port on loopback. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Listens on loopback and forwards to a port of loopback. Every byte, and the end of a connection, is held for `delayMs` in each direction. */
export async function openSlowRelay(targetPort: number, delayMs: number): Promise<SlowRelay> {
  const open = new Set<Socket>();

  function pass(from: Socket, to: Socket): void {
    open.add(from);
    const later = (act: () => void) => void setTimeout(() => void (to.destroyed || act()), delayMs);
    from.setNoDelay(true);
    from.on('data', (bytes) => later(() => void to.write(bytes)));
    from.on('end', () => later(() => void to.end()));
    from.on('error', () => undefined);
    from.on('close', () => {
      open.delete(from);
      later(() => void to.destroy());
    });
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    pass(client, server);
    pass(server, client);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
