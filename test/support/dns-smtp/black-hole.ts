import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface BlackHole {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Listens, and then sleeps for good: connections are never taken. */
const sleeper = `
  const server = require('node:net').createServer();
  server.listen(0, '127.0.0.1', 1, () => {
    require('node:fs').writeSync(1, String(server.address().port) + '\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Opens a port that accepts no connection: its queue is full and is never emptied. */
export async function openBlackHole(): Promise<BlackHole> {
  const child = spawn(process.execPath, ['-e', sleeper], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const fillers: Socket[] = [];
  // The system takes one or two more than it was asked to queue.
  for (let i = 0; i < 4; i += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    fillers.push(socket);
  }
  await Promise.race(fillers.map((socket) => once(socket, 'connect')));
  return {
    port,
    close: async () => {
      for (const socket of fillers) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
