import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds the command line before the tests start; otherwise the first test would build it while the others wait. */
export function buildOnce(): void {
  const bin = join(import.meta.dirname, '../../../src/cli/nightshift.js');
  const { status } = spawnSync(process.execPath, [bin, '--build-only'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The product does not build; what the compiler says stands above.');
}
