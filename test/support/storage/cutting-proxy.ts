import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy on loopback that cuts connections. */
export interface CuttingProxy {
  readonly port: number;
  /** Number of connections that were cut. */
  readonly losses: () => number;
  /** Cuts connections from now on, or no more. */
  readonly setLossy: (isLossy: boolean) => void;
  readonly close: () => Promise<void>;
}

/** Packets of a login over SSH: they pass, so that what is lost is a request or its answer. */
const loginPackets = 10;
/** Further packets from the client, of which one is the last. Writing a file takes about ten. */
const packetsMax = 30;
/** Share of the cuts that take place before the last packet has reached the server; the others lose its answer. */
const lostBefore = 0.25;
/** Time within which a server answers, or never. */
const answerMs = 200;

/**
 * Starts a proxy in front of a server that answers each packet of its client. A lossy connection ends at a random packet: either before the
 * server receives it, or when the server answers it.
 */
export async function openCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let isLossy = false;
  let losses = 0;

  function pass(client: Socket): void {
    const server = connect(targetPort, '127.0.0.1');
    let packetsLeft = loginPackets + Math.ceil(Math.random() * packetsMax);
    const isBefore = Math.random() < lostBefore;
    let isCut = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    const cut = () => {
      if (!isCut) losses += 1;
      isCut = true;
      end();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('data', (packet: Buffer) => {
      packetsLeft -= 1;
      const isLast = isLossy && packetsLeft <= 0;
      if (isLast && isBefore) return cut();
      if (isLast) setTimeout(cut, answerMs).unref();
      server.write(packet);
    });
    server.on('data', (packet: Buffer) => {
      if (isLossy && packetsLeft <= 0) return cut();
      client.write(packet);
    });
  }

  const proxy = createServer(pass);
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    losses: () => losses,
    setLossy: (wanted) => void (isLossy = wanted),
    close: async () => {
      const closed = once(proxy, 'close');
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
