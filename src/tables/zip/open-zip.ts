import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { quoteNames, tableError, tableTooLarge } from '../records/table-error.ts';
import type { SpooledFile } from '../files/spool-file.ts';
import { readZipEntry } from './read-zip-entry.ts';

/** File in a ZIP archive. Its name is a key and never a path on disk. */
export interface ZipEntry {
  readonly name: string;
  /** Size in the archive. */
  readonly compressedBytes: number;
  readonly isEncrypted: boolean;
}

/** ZIP archive whose list of files has been read. */
export interface ZipArchive {
  /** Files in the order of the archive, without folders. */
  readonly entries: readonly ZipEntry[];
  /** Finds a file by its name, in any case: Office programs ignore it. */
  readonly find: (name: string) => ZipEntry | undefined;
  /** Reads a file of the archive. @throws ValidationError when it is damaged, encrypted, or larger than `bytesMax`. */
  readonly read: (entry: ZipEntry, bytesMax: number) => AsyncGenerator<Buffer, undefined>;
}

/** Files in an archive. A workbook has about ten, and three per sheet. */
const entriesMax = 10_000;
/** Size of all their names. */
const nameBytesMax = 4 * 1024 * 1024;

/**
 * Reads the list of files of a ZIP archive, also in the Zip64 form.
 *
 * @throws ValidationError when the archive is damaged or cut off, has too many files, two of the same name, or unsafe names.
 */
export async function openZip(file: SpooledFile, fileName: string): Promise<ZipArchive> {
  const byName = new Map<string, { readonly entry: ZipEntry; readonly raw: Entry }>();
  const zip = await openArchive(file, fileName);
  for await (const raw of entriesOf(zip, fileName)) {
    if (raw.fileName.endsWith('/')) continue;
    const entry = {
      name: raw.fileName,
      compressedBytes: raw.compressedSize,
      isEncrypted: raw.isEncrypted(),
    };
    const key = entry.name.toLowerCase();
    if (byName.has(key))
      throw tableError(
        fileName,
        null,
        `The ZIP archive contains the file ${quoteNames([entry.name])} twice. Create it again.`,
      );
    byName.set(key, { entry, raw });
  }

  async function* read(entry: ZipEntry, bytesMax: number): AsyncGenerator<Buffer, undefined> {
    const found = byName.get(entry.name.toLowerCase());
    if (found !== undefined) yield* readZipEntry(zip, found.raw, { fileName, bytesMax });
  }

  return {
    entries: [...byName.values()].map(({ entry }) => entry),
    find: (name) => byName.get(name.toLowerCase())?.entry,
    read,
  };
}

async function openArchive(file: SpooledFile, fileName: string): Promise<ZipFile> {
  try {
    return await fromFdPromise(file.fd, { autoClose: false, lazyEntries: true });
  } catch (error) {
    throw damagedZip(fileName, error);
  }
}

/** Reads the list one by one, so that a list of millions ends early. */
async function* entriesOf(zip: ZipFile, fileName: string): AsyncGenerator<Entry, undefined> {
  let entries = 0;
  let nameBytes = 0;
  const list = zip.eachEntry();
  for (;;) {
    const next = await list.next().catch((error: unknown) => {
      throw damagedZip(fileName, error);
    });
    if (next.done === true) return;
    entries += 1;
    nameBytes += next.value.fileNameLength;
    if (entries > entriesMax || nameBytes > nameBytesMax)
      throw tableTooLarge(
        fileName,
        null,
        `The ZIP archive contains more than ${entriesMax} files, which is not plausible for a list. Save the list as CSV (UTF-8).`,
      );
    yield next.value;
  }
}

/** Names that leave their folder. They are never used as paths, but nothing good comes with them. */
const unsafeName = /^(?:absolute path|invalid relative path|invalid characters in fileName): /;

/** Translates an error of the library. */
function damagedZip(fileName: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : '';
  if (unsafeName.test(message))
    return tableError(
      fileName,
      null,
      `The ZIP archive contains a file with an unsafe name (${message.slice(0, 200)}). Create it again from the list itself.`,
      { cause },
    );
  return tableError(fileName, null, 'The ZIP data is damaged or cut off. Copy or download the file again.', {
    cause,
  });
}
