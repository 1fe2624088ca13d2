import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';

/**
 * Returns the folder for what tests build or install once and keep for later runs. It is outside the checkout, and open to the user that
 * Postgres runs as.
 */
export function cacheFolder(): string {
  const folder = join('/var/tmp', `nightshift-tests-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  return folder;
}
