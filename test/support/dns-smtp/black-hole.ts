import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface BlackHole {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Listens, then sleeps forever: it accepts no connection. */
const sleeper = `
  const server = require('node:net').createServer();
  server.listen(0, '127.0.0.1', 1, () => {
    require('node:fs').writeSync(1, String(server.address().port) + '\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Opens a port that accepts no connection: its backlog is full and never drained. */
export async function openBlackHole(): Promise<BlackHole> {
  const child = spawn(process.execPath, ['-e', sleeper], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const fillers: Socket[] = [];
  // The kernel queues one or two more connections than requested.
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
