import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can break without a trace. */
export interface SilentRelay {
  /** Port on loopback. */
  readonly port: number;
  /** From now on nothing passes. Connections stay open, and new ones are accepted. */
  readonly silence: () => void;
  readonly close: () => Promise<void>;
}

/** Listens on loopback and forwards to a port of loopback until it is silenced. */
export async function openSilentRelay(targetPort: number): Promise<SilentRelay> {
  const open = new Set<Socket>();
  let isSilent = false;

  function pass(from: Socket, to: Socket): void {
    open.add(from);
    from.setNoDelay(true);
    from.on('data', (bytes) => void (isSilent || to.destroyed || to.write(bytes)));
    from.on('error', () => undefined);
    from.on('close', () => {
      open.delete(from);
      if (!isSilent) to.destroy();
    });
  }

  const listener = createServer((client) => {
    const server = connect({ port: targetPort, host: '127.0.0.1' });
    pass(client, server);
    pass(server, client);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    silence: () => void (isSilent = true),
    async close() {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
