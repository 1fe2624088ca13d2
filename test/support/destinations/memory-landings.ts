import type { DestinationOptions, FileFormat } from '../../../src/core/destinations/destination.ts';
import type {
  DueLanding,
  LandingPart,
  LandingStore,
  RecordedPart,
} from '../../../src/core/destinations/landing.ts';
import type { LocalPart, PartExporter } from '../../../src/core/destinations/part-exporter.ts';
import { StorageUnavailable } from '../../../src/core/errors.ts';
import type { LocalFile, Storage } from '../../../src/core/storage/storage.ts';

/** A landing with its records, the files of its receiver, and a log of what happens, in memory. */
export interface MemoryLanding {
  readonly landing: DueLanding;
  readonly landings: LandingStore;
  readonly storage: Storage;
  /** Digests of the receiver's files, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly log: readonly string[];
  /** Fails the nth call of the storage from now, after it was done. */
  readonly loseAnswer: (nth: number) => void;
}

/** Creates a landing as it is claimed for the first time. */
export function memoryLanding(format: FileFormat, options: Partial<DestinationOptions> = {}): MemoryLanding {
  const parts = new Map<number, RecordedPart>();
  const files = new Map<string, string>();
  const log: string[] = [];
  let callsToLoss = 0;
  const answer = (): Promise<void> => {
    callsToLoss -= 1;
    return callsToLoss === 0 ? Promise.reject(new StorageUnavailable('lost')) : Promise.resolve();
  };
  const missing = () => Promise.reject(new Error('not part of this test'));
  const done = Promise.resolve();
  const storage: Storage = {
    isAtomic: true,
    list: () => {
      throw new Error('not part of this test');
    },
    find: missing,
    read: missing,
    move: missing,
    write: (path, { sha256 }) => {
      log.push(`write ${path}`);
      files.set(path, sha256);
      return answer();
    },
    remove: (path) => {
      log.push(`remove ${path}`);
      files.delete(path);
      return answer();
    },
    close: () => done,
  };
  const plan = ({ part, ...fields }: LandingPart) =>
    void parts.set(part, { part, ...fields, isWritten: false });
  return {
    landing: dueLanding(format, options),
    landings: {
      claim: missing,
      renew: () => done,
      readParts: () => Promise.resolve([...parts.values()]),
      planPart: (_, part) => Promise.resolve(plan(part)),
      recordPart: (_, part) => {
        const planned = parts.get(part);
        if (planned !== undefined) parts.set(part, { ...planned, isWritten: true });
        return done;
      },
      forgetPart: (_, part) => Promise.resolve(void parts.delete(part)),
      end: () => done,
      release: () => done,
    },
    storage,
    files,
    log,
    loseAnswer: (nth) => {
      callsToLoss = nth;
    },
  };
}

function dueLanding(format: FileFormat, options: Partial<DestinationOptions>): DueLanding {
  return {
    landingKey: 1,
    token: 1,
    attempt: 1,
    contentKey: 'bat_1 rows 1',
    revision: 1,
    shape: 'rows',
    day: '2026-03-01',
    batch: {
      batchKey: 1,
      publicId: 'bat_1',
      fileName: 'companies.csv',
      state: 'finished',
      finishedAt: new Date('2026-03-01T02:00:00Z'),
      rowsTotal: 3,
    },
    target: {
      name: 'lake',
      location: { kind: 'folder', path: '/lake' },
      credentials: null,
      isOfAccount: false,
      format,
      options: { raw: false, gzip: false, layout: 'partitioned', table: null, key: null, ...options },
    },
  };
}

/** Exports parts with these digests, ten rows each. A digest stands for the content. */
export function exporterOf(digests: readonly string[]): PartExporter {
  return {
    exportParts: async (_, place) => {
      for (const digest of digests) await place(localPart(digest));
      return { columns: [{ name: 'Website', kind: 'text' }] };
    },
    writeText: (text) => Promise.resolve(localFile(text)),
    close: () => Promise.resolve(),
  };
}

function localPart(sha256: string): LocalPart {
  return { ...localFile(sha256), rows: 10 };
}

function localFile(sha256: string): LocalFile {
  return { path: '/tmp/part', bytes: 100, sha256 };
}
