import { ValidationError } from '../errors.ts';
import type { ReportDepth } from '../batches/batch-report.ts';
import type { Credentials } from '../storage/credentials.ts';
import type { Location } from '../storage/location.ts';

/** Formats of what lands: files, or a table in a Postgres of the user's own. */
export const destinationFormats = ['csv', 'xlsx', 'ndjson', 'json', 'parquet', 'table'] as const;
export type DestinationFormat = (typeof destinationFormats)[number];

/** Formats of files. */
export type FileFormat = Exclude<DestinationFormat, 'table'>;

export const destinationShapes: readonly ReportDepth[] = ['rows', 'ads', 'variants'];

/** `flat`: all files in one folder. `partitioned`: folders by shape, day and batch, as DuckDB and ClickHouse read them. */
export const destinationLayouts = ['flat', 'partitioned'] as const;
export type DestinationLayout = (typeof destinationLayouts)[number];

/** Options of what is written. */
export interface DestinationOptions {
  /** CSV: true to write cells unchanged, including formulas. */
  readonly raw: boolean;
  /** CSV, NDJSON and JSON: true to compress files. */
  readonly gzip: boolean;
  readonly layout: DestinationLayout;
  /** Table, as `schema.name`; null for files. */
  readonly table: string | null;
  /** Columns of the user's own that identify a row of the table; null: the batch and the line. */
  readonly key: readonly string[] | null;
}

/** The batches that a destination takes: all of the account, those of a schedule, or one. Named by public ids. */
export type DestinationScope =
  | { readonly kind: 'account' }
  | { readonly kind: 'schedule'; readonly schedule: string }
  | { readonly kind: 'batch'; readonly batch: string };

/** A destination as it is shown to people: without credentials. */
export interface Destination {
  readonly destinationId: string;
  readonly name: string;
  readonly scope: DestinationScope;
  readonly location: Location;
  readonly hasCredentials: boolean;
  readonly format: DestinationFormat;
  readonly shapes: readonly ReportDepth[];
  readonly options: DestinationOptions;
  /** `disabled`: landings wait until the destination is enabled. */
  readonly state: 'active' | 'disabled' | 'removed';
  /** Reason for which it is disabled, or the last message of a storage that rejects it. */
  readonly stateReason: string | null;
  readonly createdAt: Date;
  /** Number of pending and of abandoned landings, up to `countedMax`. */
  readonly pending: number;
  readonly dead: number;
  readonly lastLandedAt: Date | null;
}

/** Place to write to, secrets included. For writing only. */
export interface DestinationTarget {
  readonly name: string;
  readonly location: Location;
  readonly credentials: Credentials | null;
  /** True when an account named the location, false for the operator: an account may not name every folder. */
  readonly isOfAccount: boolean;
  readonly format: DestinationFormat;
  readonly options: DestinationOptions;
}

/** Wishes for a format; what is missing has a default. */
export interface FormatRequest {
  readonly format?: DestinationFormat | undefined;
  readonly shapes?: readonly ReportDepth[] | undefined;
  readonly raw?: boolean | undefined;
  readonly gzip?: boolean | undefined;
  readonly layout?: DestinationLayout | undefined;
  readonly table?: string | null | undefined;
  readonly key?: readonly string[] | null | undefined;
}

export interface ChosenFormat {
  readonly format: DestinationFormat;
  readonly shapes: readonly ReportDepth[];
  readonly options: DestinationOptions;
}

/**
 * Adds the defaults to the wishes: a table for Postgres, else Parquet; rows; partitions for Parquet only.
 *
 * @throws ValidationError for wishes that contradict each other or the location.
 */
export function chooseFormat(location: Location, wanted: FormatRequest): ChosenFormat {
  rejectReadOnly(location);
  const isTable = location.kind === 'postgres';
  const { format = isTable ? 'table' : 'parquet', shapes = ['rows'], table = null, key = null } = wanted;
  const { raw = false, gzip = false, layout = format === 'parquet' ? 'partitioned' : 'flat' } = wanted;
  if (isTable !== (format === 'table')) {
    throw wrong(
      'format',
      isTable ? 'Postgres takes the format table' : 'the format table needs a postgres:// location',
    );
  }
  if (shapes.length === 0) throw wrong('shapes', 'name at least one of rows, ads, variants');
  if (raw && format !== 'csv') throw wrong('raw', 'only CSV escapes formulas');
  if (gzip && !gzipFormats.includes(format)) throw wrong('gzip', `${format} is not compressed again`);
  const chosen = destinationShapes.filter((shape) => shapes.includes(shape));
  if (isTable) {
    if (wanted.layout !== undefined) throw wrong('layout', 'a table has no layout of files');
    if (chosen.length > 1) throw wrong('shapes', 'a table takes one shape. Add one destination per shape');
    rejectTable(table);
    rejectKey(key);
  } else if (table !== null || key !== null) {
    throw wrong('table', 'table and key belong to postgres:// locations');
  }
  return { format, shapes: chosen, options: { raw, gzip, layout, table, key } };
}

const gzipFormats: readonly DestinationFormat[] = ['csv', 'ndjson', 'json'];

function rejectReadOnly({ kind }: Location): void {
  if (kind !== 'https') return;
  throw wrong(
    'location',
    'nothing can be written to a web address. Use a folder, s3://, sftp:// or postgres://, or a webhook',
  );
}

/** Postgres truncates longer names. */
const nameBytesMax = 63;

function rejectTable(table: string | null): void {
  const parts = table?.split('.') ?? [];
  if (parts.length === 2 && parts.every(isColumnName)) return;
  throw wrong('table', 'name the table as schema.name, such as sales.companies, in at most 63 bytes each');
}

function rejectKey(key: readonly string[] | null): void {
  if (key === null) return;
  const isGood = key.length > 0 && key.length <= 16 && new Set(key).size === key.length;
  if (isGood && key.every(isColumnName)) return;
  throw wrong('key', 'name 1 to 16 different columns, such as company_domain');
}

function isColumnName(name: string): boolean {
  return /^[^\p{Cc}\p{Cs}]+$/u.test(name) && name.trim() === name && Buffer.byteLength(name) <= nameBytesMax;
}

function wrong(where: string, problem: string): ValidationError {
  return new ValidationError(`${where}: ${problem}.`, { where });
}
