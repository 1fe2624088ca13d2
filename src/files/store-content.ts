import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { Storage } from '../core/storage/storage.ts';

interface Storing {
  /** Path of a local file, which only its owner can read and which is removed afterwards. An earlier one is replaced. */
  readonly through: string;
  readonly contentType: string;
  readonly signal: AbortSignal;
}

/** Writes content to a storage, through a local file. */
export async function storeContent(
  storage: Pick<Storage, 'write'>,
  path: string,
  content: Buffer,
  { through, contentType, signal }: Storing,
): Promise<void> {
  await writeFile(through, content, { mode: 0o600 });
  try {
    const sha256 = createHash('sha256').update(content).digest('hex');
    await storage.write(path, { path: through, bytes: content.length, sha256 }, { contentType, signal });
  } finally {
    await rm(through, { force: true });
  }
}
