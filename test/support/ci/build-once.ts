import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Before any test starts the command line: the first one would build it, and the others would wait for that. */
export function buildOnce(): void {
  const bin = join(import.meta.dirname, '../../../src/cli/nightshift.js');
  const { status } = spawnSync(process.execPath, [bin, '--build-only'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The product does not build; what the compiler says stands above.');
}
