import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ValidationError } from '../core/errors.ts';
import { explainingError } from './file-errors.ts';

/** A file that is being written. Its final name appears only with `commit`, and then with the complete content. */
export interface StagedFile {
  /** Appends bytes. Resolves when the system has accepted them, which slows down a fast source. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Flushes to disk. A full disk may fail only here. */
  readonly flush: () => Promise<void>;
  /** Renames the flushed file to its final name, in one step that replaces an earlier file. */
  readonly commit: () => Promise<void>;
  /** Removes the temporary file. Does nothing after `commit`. */
  readonly discard: () => Promise<void>;
}

/**
 * Opens a file under a temporary name in the folder of its final name: the given one, otherwise `.<name>.<random>.tmp`.
 *
 * The folder is the same because a rename is atomic only within one file system. An earlier file at the final name stays
 * unchanged until `commit`; the new one takes over its permissions. A link is followed, and its target is replaced.
 *
 * @throws ValidationError | Misconfigured with the remedy, also from the returned functions: `explainingError`.
 */
export async function openStagedFile(path: string, given?: string): Promise<StagedFile> {
  const earlier = await explainingError(path, () => readEarlier(path));
  const final = earlier?.path ?? path;
  const random = () => join(dirname(final), `.${basename(final)}.${randomBytes(6).toString('hex')}.tmp`);
  const temporary = given ?? random();
  const handle = await explainingError(path, () => createFile(temporary, earlier?.mode));
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close();
  };
  return {
    // `writeFile` on a handle continues at the current position and, unlike `write`, completes partial writes.
    write: (bytes) => explainingError(path, () => handle.writeFile(bytes)),
    flush: () => explainingError(path, () => handle.sync()),
    commit: () => explainingError(path, () => close().then(() => rename(temporary, final))),
    discard: () => close().then(() => rm(temporary, { force: true })),
  };
}

interface Earlier {
  readonly path: string;
  readonly mode: number;
}

/** Existing file at the final name, if any. Rejects devices (`/dev/null`), which a rename would replace as well. */
async function readEarlier(path: string): Promise<Earlier | undefined> {
  const found = await stat(path).catch(ifMissing);
  if (found === undefined) return undefined;
  if (found.isDirectory()) {
    throw new ValidationError(`${path} is a folder. Name a file in it.`, { where: path });
  }
  if (!found.isFile()) {
    throw new ValidationError(
      `${path} is no ordinary file. Write to standard output instead and direct that to it.`,
      { where: path },
    );
  }
  return { path: await realpath(path), mode: found.mode & 0o777 };
}

/** A missing file means that the name is free. A missing folder fails when the file is created. */
function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function createFile(path: string, mode: number | undefined): Promise<FileHandle> {
  const handle = await open(path, 'wx');
  if (mode !== undefined) await handle.chmod(mode);
  return handle;
}
