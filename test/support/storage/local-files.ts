import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { LocalFile, Storage, StorageFile } from '../../../src/core/storage/storage.ts';

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** Creates a folder that the test removes at its end. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes content to a file on this machine, which is to be stored. */
export function localFile(content: string | Buffer): LocalFile {
  const bytes = Buffer.from(content);
  const path = join(testFolder(), randomBytes(6).toString('hex'));
  writeFileSync(path, bytes);
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Stores content under a path. */
export async function store(storage: Storage, path: string, content: string | Buffer): Promise<void> {
  await storage.write(path, localFile(content), { contentType: 'text/csv', signal: never });
}

/** Lists all files. */
export async function listAll(storage: Storage): Promise<readonly StorageFile[]> {
  const files: StorageFile[] = [];
  for await (const page of storage.list(never)) files.push(...page);
  return files;
}

/** Finds a file in the list by its path. */
export async function findFile(storage: Storage, path: string): Promise<StorageFile> {
  const file = (await listAll(storage)).find((each) => each.path === path);
  if (file === undefined) throw new Error(`${path} is not listed`);
  return file;
}

/** Reads the listed file at a path. */
export async function readPath(storage: Storage, path: string): Promise<Buffer> {
  return readAll(await storage.read(await findFile(storage, path), never));
}

/** Reads a stream to its end. */
export function readAll(stream: Readable): Promise<Buffer> {
  return buffer(stream);
}
