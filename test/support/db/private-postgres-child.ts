/**
 * Separate process for the tests of the private server: `ensure HOME`, `hold HOME` (ensure, then stay until killed) or `binaries
 * HOME PACKAGE_FOLDER`. Prints its result as one line of JSON.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from '../../../src/postgres-server/binaries/binaries.ts';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import { readServerUser } from '../../../src/postgres-server/system/server-user.ts';

const [what, home = '', folder = ''] = process.argv.slice(2);
if (what === 'binaries') {
  const embedded = { folder, version: 'test' };
  const user = await readServerUser(undefined);
  print(await findBinaries({ user, home, major: undefined, searchPath: '', embedded }));
} else {
  const server = await ensurePrivateServer({ home });
  print({ pid: server.pid, port: server.port, adopted: server.adopted, dataFolder: server.dataFolder });
  if (what === 'hold') await delay(60_000);
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
