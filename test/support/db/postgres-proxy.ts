import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Moment at which the connection of a COMMIT breaks: before Postgres receives it, or after it is done and before the client
 * learns of it.
 */
export type CommitCut = 'before' | 'after';

/** A proxy before Postgres that breaks connections at critical moments. */
export interface PostgresProxy {
  readonly url: string;
  /** Breaks the connection of the next COMMIT; later ones pass. */
  cutNextCommit(cut: CommitCut): void;
  /** Breaks the connection of the next BEGIN before Postgres receives it. */
  cutNextBegin(): void;
  /** Breaks the connection of the next statement that contains `part`, after it is done and before the client learns of it. */
  cutNextAnswer(part: string): void;
  /** Breaks all connections, and rejects others until the server is back. */
  setAway(isAway: boolean): void;
  /** Breaks every nth COMMIT, alternately before and after, until this many are broken. */
  cutCommits(options: { readonly everyNth: number; readonly times: number }): void;
  /** Number of connections cut so far. */
  readonly cuts: () => number;
}

/** Message of Postgres after the commit of a statement: `Z`, its length, and `I` for no transaction. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Listens on loopback until the test ends, and forwards everything to the server of `url`. */
export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let choose: () => CommitCut | null = () => null;
  let cutsBegin = false;
  let unansweredPart: string | null = null;
  let isAway = false;
  let cuts = 0;

  function cut(client: Socket, server: Socket): void {
    cuts += 1;
    client.destroy();
    server.destroy();
  }

  function pass(client: Socket): void {
    if (isAway) {
      client.destroy();
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    let isCommitting = false;
    let losesAnswer = false;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      const now = bytes.includes('commit\0') ? choose() : null;
      const isBegin = cutsBegin && bytes.includes('begin\0');
      cutsBegin &&= !isBegin;
      if (unansweredPart !== null && bytes.includes(unansweredPart)) {
        losesAnswer = true;
        unansweredPart = null;
      }
      if (now === 'before' || isBegin) cut(client, server);
      else server.write(bytes);
      isCommitting ||= now === 'after';
    });
    server.on('data', (bytes) => {
      // The answer to a statement that was sent with the COMMIT may come before.
      const isCommitted = isCommitting && bytes.includes('COMMIT\0');
      if (isCommitted || (losesAnswer && bytes.includes(readyForQuery))) cut(client, server);
      else client.write(bytes);
    });
  }

  const listener = createServer(pass).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    listener.close();
    await once(listener, 'close');
  });
  const proxied = new URL(url);
  proxied.port = String((listener.address() as AddressInfo).port);
  return {
    url: proxied.href,
    cutNextCommit: (cutAt) => void (choose = chooseNext(cutAt)),
    cutNextBegin: () => void (cutsBegin = true),
    cutNextAnswer: (part) => void (unansweredPart = part),
    setAway(away) {
      isAway = away;
      if (away) for (const socket of open) socket.destroy();
    },
    cutCommits: ({ everyNth, times }) => void (choose = chooseEvery(everyNth, times)),
    cuts: () => cuts,
  };
}

function chooseNext(cut: CommitCut): () => CommitCut | null {
  let next: CommitCut | null = cut;
  return () => {
    const now = next;
    next = null;
    return now;
  };
}

function chooseEvery(everyNth: number, times: number): () => CommitCut | null {
  let commits = 0;
  return () => {
    commits += 1;
    const turn = commits / everyNth;
    if (!Number.isInteger(turn) || turn > times) return null;
    return turn % 2 === 0 ? 'after' : 'before';
  };
}
