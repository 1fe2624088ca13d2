import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createBatcher } from '../../core/async/batcher.ts';
import { formatCallRecord, type CallArchive, type CallRecord } from '../../core/backup/call-records.ts';
import { dayOf } from '../../core/reports/days.ts';
import type { FolderLocation } from '../../core/storage/location.ts';
import type { Storage } from '../../core/storage/storage.ts';
import { flushFolder } from '../../files/flush-folder.ts';
import { storeContent } from '../../files/store-content.ts';
import { folderError } from './folder-errors.ts';
import { withinFolderTime } from './folder-time.ts';

/** Writes of records that wait for each other go together. */
const recordsMax = 1000;
const writeMsMax = 30_000;

/** A record is written also while its process ends. */
const never = new AbortController().signal;

/** Another server may take the archive over: after this time it is checked again. */
const usableMsMax = 60_000;

export interface SegmentsOptions {
  readonly now: CallArchive['now'];
  /**
   * Rejects when the place is not the archive any more, as after its disk was unmounted, or another server has taken it over: nothing may be
   * written there then. Called before the first record, and then once a minute.
   */
  readonly assertUsable: () => Promise<void>;
  /** Clock for this minute; milliseconds. Default: `performance.now`. */
  readonly monotonicMs?: () => number;
}

/**
 * Segments of one process in a folder: a file per UTC day of the clock `now`, to which lines are appended, and another one after
 * a failed write. A new file is created only after another check.
 */
export function openFolderSegments({ path: root }: FolderLocation, options: SegmentsOptions): CallArchive {
  const usable = followUsability(options);
  let current: { readonly day: string; readonly file: FileHandle } | null = null;

  async function closeFile(): Promise<void> {
    const closing = current;
    current = null;
    await closing?.file.close().catch(() => undefined);
  }

  const inTime = <T>(work: () => Promise<T>): Promise<T> =>
    withinFolderTime(root, { signal: never, deadlineMs: writeMsMax }, work);

  async function fileOf(day: string): Promise<FileHandle> {
    if (current?.day === day) {
      await usable.check();
      return current.file;
    }
    await closeFile();
    await usable.checkNow();
    const path = join(root, segmentPath(day, randomUUID()));
    return inTime(async () => {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a', 0o600);
      current = { day, file };
      await flushFolder(dirname(path));
      return file;
    });
  }

  async function write(lines: string, day: string): Promise<void> {
    try {
      const file = await fileOf(day);
      await inTime(async () => {
        await file.appendFile(lines);
        await file.datasync();
      });
    } catch (error) {
      // A part of a line may be in the file: the next line goes to another one. It is closed when its last write returns, which may be never.
      void closeFile();
      throw folderError(error, root);
    }
  }

  return createCallArchive({ write, now: options.now, close: closeFile });
}

/** Segments of one process in a bucket: an object for each write, because objects cannot be appended to. */
export async function openObjectSegments(storage: Storage, options: SegmentsOptions): Promise<CallArchive> {
  const usable = followUsability(options);
  const name = randomUUID();
  const folder = await mkdtemp(join(tmpdir(), 'nightshift-calls-'));
  let written = 0;
  return createCallArchive({
    now: options.now,
    async write(lines, day) {
      await usable.check();
      written += 1;
      const path = segmentPath(day, `${name}-${String(written).padStart(8, '0')}`);
      await storeContent(storage, path, Buffer.from(lines), {
        through: join(folder, 'segment'),
        contentType: 'application/x-ndjson',
        signal: AbortSignal.timeout(writeMsMax),
      });
    },
    async close() {
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

/** Remembers for a minute that an archive is usable. */
function followUsability({ assertUsable, monotonicMs = () => performance.now() }: SegmentsOptions) {
  let checkedMs = -Infinity;
  async function checkNow(): Promise<void> {
    const atMs = monotonicMs();
    await assertUsable();
    checkedMs = atMs;
  }
  return {
    checkNow,
    check: async () => {
      if (monotonicMs() - checkedMs >= usableMsMax) await checkNow();
    },
  };
}

/** Combines records that arrive while earlier ones are written: one write at a time. */
function createCallArchive({
  write,
  now,
  close,
}: Pick<CallArchive, 'now' | 'close'> & {
  readonly write: (lines: string, day: string) => Promise<void>;
}): CallArchive {
  const record = createBatcher<readonly CallRecord[], true>(recordsMax, async (groups) => {
    const lines = groups.flat().map((one) => `${formatCallRecord(one)}\n`);
    await write(lines.join(''), dayOf(await now()));
    return groups.map(() => true as const);
  });
  return {
    record: async (records) => void (await record(records)),
    now,
    close,
  };
}

function segmentPath(day: string, name: string): string {
  return `calls/${day}/${name}.ndjson`;
}
