/** Begin of a call to a live source, recorded before the call is sent. */
export interface BegunRecord {
  readonly call: bigint;
  readonly begunAt: string;
  readonly accountId: number;
  readonly lookupId: bigint;
  readonly source: string;
  readonly bucket: string;
  readonly requestKey: string;
  readonly about: string;
  /** Highest possible cost, in units of the source's price book. */
  readonly unitsMax: number;
}

/** Result of a call. */
export interface EndedRecord {
  readonly call: bigint;
  readonly endedAt: string;
  readonly answer: string;
  readonly units: number;
  readonly charged: number | null;
  /** Reply, compressed with Brotli, and SHA-256 of its text; null if replies are not stored. */
  readonly reply: { readonly hash: Buffer; readonly body: Buffer } | null;
}

export type CallRecord = BegunRecord | EndedRecord;

/**
 * Port: the call log outside of the database, from which a restore learns what was paid for after the moment that it restores
 * (docs/architecture/decisions/0018-call-archive.md).
 */
export interface CallArchive {
  /** Resolves when the records are stored durably. @throws StorageUnavailable | StorageRejected */
  record(records: readonly CallRecord[]): Promise<void>;
  /** Returns the time of the database: a restore reads the calls from its moment on, whatever the clocks of the workers said. */
  now(): Promise<Date>;
  close(): Promise<void>;
}

/** Port: the archive of calls that the settings name. */
export interface CallArchives {
  /** Opens the archive of a version of the settings, and keeps it open; null without settings. */
  at(version: number | null): Promise<CallArchive | null>;
}

/** For installations and tests without an archive. */
export const noCallArchives: CallArchives = { at: () => Promise.resolve(null) };

/** Formats a record as a line of JSON, without its line end. */
export function formatCallRecord(record: CallRecord): string {
  const { call } = record;
  if ('begunAt' in record) {
    const { begunAt, accountId, lookupId, ...rest } = record;
    return JSON.stringify({
      ...rest,
      call: String(call),
      begunAt,
      account: accountId,
      lookup: String(lookupId),
    });
  }
  const { endedAt, answer, units, charged, reply } = record;
  return JSON.stringify({
    call: String(call),
    endedAt,
    answer,
    units,
    charged,
    hash: reply?.hash.toString('hex') ?? null,
    body: reply?.body.toString('base64') ?? null,
  });
}

/** Parses a line; null when it is not a complete record, as at the end of a segment whose writer was killed. */
export function parseCallRecord(line: string): CallRecord | null {
  const fields = parseObject(line);
  if (fields === null || typeof fields['call'] !== 'string' || !/^\d+$/.test(fields['call'])) return null;
  const call = BigInt(fields['call']);
  return typeof fields['begunAt'] === 'string' ? parseBegun(call, fields) : parseEnded(call, fields);
}

function parseBegun(call: bigint, fields: Readonly<Record<string, unknown>>): BegunRecord | null {
  const { begunAt, account: accountId, lookup, source, bucket, requestKey, about, unitsMax } = fields;
  if (typeof begunAt !== 'string' || typeof accountId !== 'number' || typeof lookup !== 'string') return null;
  if (typeof source !== 'string' || typeof bucket !== 'string' || typeof requestKey !== 'string') return null;
  if (typeof about !== 'string' || typeof unitsMax !== 'number' || !/^\d+$/.test(lookup)) return null;
  return { call, begunAt, accountId, lookupId: BigInt(lookup), source, bucket, requestKey, about, unitsMax };
}

function parseEnded(call: bigint, fields: Readonly<Record<string, unknown>>): EndedRecord | null {
  const { endedAt, answer, units, charged, hash, body } = fields;
  if (typeof endedAt !== 'string' || typeof answer !== 'string' || typeof units !== 'number') return null;
  if (charged !== null && typeof charged !== 'number') return null;
  const reply =
    typeof hash === 'string' && typeof body === 'string'
      ? { hash: Buffer.from(hash, 'hex'), body: Buffer.from(body, 'base64') }
      : null;
  return { call, endedAt, answer, units, charged, reply };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
