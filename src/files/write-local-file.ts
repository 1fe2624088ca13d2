import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { LocalFile } from '../core/storage/storage.ts';

/** Writes a file that is to be stored, which only its owner can read. An earlier one is replaced. */
export async function writeLocalFile(path: string, content: Buffer): Promise<LocalFile> {
  await writeFile(path, content, { mode: 0o600 });
  return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}
