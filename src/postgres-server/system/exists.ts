import { lstat } from 'node:fs/promises';
import { errorCode } from './system-error.ts';

/** True when something is at a path, also a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
