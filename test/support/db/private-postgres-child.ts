/**
 * Separate process for the tests of the private server: `ensure HOME`, `hold HOME` (ensure, then stay until killed), `binaries
 * HOME PACKAGE_FOLDER` or `restore HOME ARCHIVE FAILPOINT`, which is killed there. Prints its result as one line of JSON.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import { findBinaries } from '../../../src/postgres-server/binaries/binaries.ts';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import { restoreQuietly } from '../storage/quiet-restore.ts';
import { readServerUser } from '../../../src/postgres-server/system/server-user.ts';

const [what, home = '', folder = '', point = ''] = process.argv.slice(2);
if (what === 'binaries') {
  const embedded = { folder, version: 'test' };
  const user = await readServerUser(undefined);
  print(await findBinaries({ user, home, major: undefined, searchPath: '', embedded }));
} else if (what === 'restore') {
  globalThis.nightshiftFailpoint = (name) => {
    if (name === point) process.kill(process.pid, 'SIGKILL');
  };
  await restoreQuietly({
    storage: openFolderStorage({ kind: 'folder', path: folder }),
    home,
    replaces: true,
  });
  print({ restored: true });
} else {
  const server = await ensurePrivateServer({ home });
  print({ pid: server.pid, port: server.port, adopted: server.adopted, dataFolder: server.dataFolder });
  if (what === 'hold') await delay(60_000);
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
