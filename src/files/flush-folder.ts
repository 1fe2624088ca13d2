import { open } from 'node:fs/promises';

/** Makes new names in a folder last, even if the machine loses power. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
