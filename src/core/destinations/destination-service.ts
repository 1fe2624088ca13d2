import type { Actor } from '../accounts/key-store.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import { EnrichError, StorageUnavailable, ValidationError } from '../errors.ts';
import type { Credentials } from '../storage/credentials.ts';
import type { Location, SftpLocation } from '../storage/location.ts';
import {
  chooseFormat,
  type Destination,
  type DestinationScope,
  type DestinationTarget,
  type FormatRequest,
} from './destination.ts';
import type { DestinationChanges, DestinationStore } from './destination-store.ts';
import type { PartExporter } from './part-exporter.ts';
import type { DestinationPorts } from './run-landings.ts';

export interface DestinationRequest extends FormatRequest {
  readonly name: string;
  readonly scope: DestinationScope;
  readonly location: Location;
  readonly credentials: Credentials | null;
  /** True when an account names the location over the API, false for the operator. */
  readonly isOfAccount: boolean;
}

/** Changes of a destination; what is missing stays. */
export interface DestinationEdit extends FormatRequest {
  readonly name?: string | undefined;
  readonly credentials?: Credentials | null | undefined;
  readonly state?: 'active' | 'disabled' | undefined;
}

export interface CreateOptions {
  readonly signal: AbortSignal;
  readonly kept?: StoredResponse<Destination> | null;
}

/** Result of a test: null, or the error of the storage. */
export interface TestedDestination {
  readonly error: string | null;
}

export interface DestinationServiceOptions extends DestinationPorts {
  readonly store: DestinationStore;
  /** Asserts that the location may be used. @throws ValidationError */
  readonly assertAllowed: (location: Location, isOfAccount: boolean) => void;
  readonly openExporter: () => Promise<PartExporter>;
  /** Reads the key that an SFTP server shows. @throws StorageUnavailable | StorageRejected */
  readonly readHostKey: (location: SftpLocation, signal: AbortSignal) => Promise<string>;
}

/** Destinations of accounts. */
export interface DestinationService extends Pick<
  DestinationStore,
  'list' | 'find' | 'remove' | 'listLandings' | 'replay' | 'listOfBatch'
> {
  /**
   * Creates a destination after it has written to the location, as `test` does.
   *
   * @throws ValidationError for a request that contradicts itself, StorageUnavailable | StorageRejected, and the errors of the store.
   */
  create(
    accountId: number,
    request: DestinationRequest,
    by: Actor,
    options: CreateOptions,
  ): Promise<Destination>;
  /** @throws ValidationError for changes that contradict the location, and the errors of the store. */
  change(accountId: number, name: string, edit: DestinationEdit, by: Actor): Promise<Destination>;
  /** Writes a small file and removes it, or creates a table and rolls back; also for a disabled destination. */
  test(accountId: number, name: string, signal: AbortSignal): Promise<TestedDestination>;
}

/** Time limit of a test, shorter than that of most proxies. */
const testMs = 25_000;

/** Validates requests and tests destinations. */
export function createDestinationService(options: DestinationServiceOptions): DestinationService {
  const { store, assertAllowed } = options;
  return {
    list: store.list,
    find: store.find,
    remove: store.remove,
    listLandings: store.listLandings,
    replay: store.replay,
    listOfBatch: store.listOfBatch,
    create: async (
      accountId,
      { name, scope, location, credentials, isOfAccount, ...wanted },
      by,
      { signal, kept },
    ) => {
      assertAllowed(location, isOfAccount);
      const chosen = chooseFormat(location, wanted);
      const destination = { name: readName(name), scope, credentials, isOfAccount, ...chosen };
      const known = { ...destination, location: await knownLocation(location, options) };
      await probeInTime(options, known, signal);
      return store.create(accountId, known, by, kept);
    },
    change: async (accountId, name, { name: newName, credentials, state, ...wanted }, by) => {
      if (newName !== undefined) readName(newName);
      const isOther = Object.values(wanted).some((value) => value !== undefined);
      const changes: DestinationChanges = {
        ...(newName === undefined ? {} : { name: newName }),
        ...(credentials === undefined ? {} : { credentials }),
        ...(state === undefined ? {} : { state }),
        ...(isOther ? { chosen: chooseAgain(await store.find(accountId, name), wanted) } : {}),
      };
      return store.change(accountId, name, changes, by);
    },
    test: async (accountId, name, signal) => {
      const target = await store.findTarget(accountId, name);
      try {
        await probeInTime(options, target, signal);
        return { error: null };
      } catch (error) {
        if (!signal.aborted && error instanceof EnrichError) return { error: error.message };
        throw error;
      }
    },
  };
}

/** Records the key of an SFTP server with the destination: from then on no other server is written to. */
async function knownLocation(
  location: Location,
  { readHostKey }: DestinationServiceOptions,
): Promise<Location> {
  if (location.kind !== 'sftp' || location.hostKey !== null) return location;
  return { ...location, hostKey: await readHostKey(location, AbortSignal.timeout(testMs)) };
}

/** Applies wishes to an existing format. Another format has its own defaults for what belongs to one format. */
function chooseAgain({ location, format, shapes, options }: Destination, wanted: FormatRequest) {
  const isSame = wanted.format === undefined || wanted.format === format;
  const { raw, gzip, layout, table, key } = options;
  const earlier: FormatRequest = {
    format,
    shapes,
    table,
    key,
    ...(isSame ? { raw, gzip, ...(format === 'table' ? {} : { layout }) } : {}),
  };
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  return chooseFormat(location, { ...earlier, ...given });
}

/** Name of the file of a test. */
const probePath = 'nightshift-test.txt';
const probeText = 'A test of Nightshift. This file can be deleted.\n';

/** @throws StorageUnavailable | StorageRejected when the place cannot be written. */
async function probeInTime(
  options: DestinationServiceOptions,
  target: DestinationTarget,
  signal: AbortSignal,
): Promise<void> {
  const late = AbortSignal.timeout(testMs);
  try {
    await probe(options, target, AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    throw new StorageUnavailable(`No answer within ${testMs / 1000} seconds.`, { cause: error });
  }
}

async function probe(
  { openStorage, openTables, openExporter }: DestinationServiceOptions,
  target: DestinationTarget,
  signal: AbortSignal,
): Promise<void> {
  const { table } = target.options;
  if (table !== null) {
    const loader = await openTables(target, signal);
    return loader.probe(table, signal).finally(() => loader.close());
  }
  const storage = await openStorage(target);
  try {
    const exporter = await openExporter();
    await exporter
      .writeText(probeText)
      .then((file) => storage.write(probePath, file, { contentType: 'text/plain', signal }))
      .finally(() => exporter.close());
    await storage.remove(probePath, signal);
  } finally {
    await storage.close();
  }
}

/** Names occur on command lines and in tables; a name that looks like an id could be taken for another destination. */
function readName(name: string): string {
  if (/^(?!dst_)[^\p{Cc}\p{Cs}]{1,100}$/u.test(name) && name.trim() === name) return name;
  throw new ValidationError(
    'A destination needs a name of 1 to 100 characters that does not begin with dst_.',
    {
      where: 'name',
    },
  );
}
