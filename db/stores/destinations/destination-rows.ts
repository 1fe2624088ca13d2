import { and, eq, ne, or, sql, type SQL } from 'drizzle-orm';
import { NotFound } from '../../../src/core/errors.ts';
import type {
  Destination,
  DestinationFormat,
  DestinationOptions,
  DestinationTarget,
} from '../../../src/core/destinations/destination.ts';
import type { Landing } from '../../../src/core/destinations/landing.ts';
import type { ReportDepth } from '../../../src/core/batches/batch-report.ts';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import type { Location } from '../../../src/core/storage/location.ts';
import type { Sql } from '../../connection/client.ts';
import { destinations } from '../../schema/destinations.ts';
import { cappedCountSql } from '../sql/capped-count.ts';

/** A stored destination, including its credentials. */
export interface DestinationRow {
  readonly id: number;
  readonly public_id: string;
  readonly name: string;
  readonly schedule: string | null;
  readonly batch: string | null;
  readonly location: Location;
  readonly credentials: Credentials | null;
  readonly is_of_account: boolean;
  readonly format: DestinationFormat;
  readonly shapes: readonly ReportDepth[];
  readonly options: DestinationOptions;
  readonly state: Destination['state'];
  readonly state_reason: string | null;
  readonly created_at: string;
  readonly pending: number;
  readonly dead: number;
  readonly last_landed_at: string | null;
}

/** Selects the destinations `d` of an account that meet the condition, oldest first. Default: those that were not removed. */
export async function selectDestinations(
  db: Sql,
  accountId: number,
  condition: SQL = sql`d.state <> 'removed'`,
): Promise<readonly DestinationRow[]> {
  const found = await db.execute<Omit<DestinationRow, 'id'> & { readonly id: string }>(
    sql`SELECT d.id, d.public_id, d.name, s.public_id AS schedule, b.public_id AS batch, d.location, d.credentials, d.is_of_account,
        d.format, d.shapes, d.options, d.state, d.state_reason, d.created_at,
        ${landingsInStateSql('pending')} AS pending, ${landingsInStateSql('dead')} AS dead,
        (SELECT max(l.landed_at) FROM nightshift.landings l WHERE l.destination_id = d.id AND l.state = 'landed') AS last_landed_at
      FROM nightshift.destinations d
      LEFT JOIN nightshift.schedules s ON s.id = d.schedule_id
      LEFT JOIN nightshift.batches b ON b.id = d.batch_id
      WHERE d.account_id = ${accountId} AND ${condition} ORDER BY d.id`,
  );
  return found.rows.map((row) => ({ ...row, id: Number(row.id) }));
}

function landingsInStateSql(state: Landing['state']): SQL {
  return cappedCountSql(sql`nightshift.landings l WHERE l.destination_id = d.id AND l.state = ${state}`);
}

/** Finds a destination by its id, or by its name in the account. @throws NotFound */
export async function findDestination(db: Sql, accountId: number, name: string): Promise<DestinationRow> {
  const [row] = await selectDestinations(
    db,
    accountId,
    sql`d.state <> 'removed' AND (d.public_id = ${name} OR d.name = ${name})`,
  );
  if (row !== undefined) return row;
  throw new NotFound(`There is no destination ${name}. \`nightshift destination list\` lists them.`);
}

/** Finds a destination and locks it against changes. @throws NotFound */
export async function lockDestination(db: Sql, accountId: number, name: string): Promise<DestinationRow> {
  const isNamed = or(eq(destinations.publicId, name), eq(destinations.name, name));
  await db
    .select({ id: destinations.id })
    .from(destinations)
    .where(and(eq(destinations.accountId, accountId), ne(destinations.state, 'removed'), isNamed))
    .for('no key update');
  return findDestination(db, accountId, name);
}

/** Reads the current state of a destination that the caller has locked. */
export async function readDestinationAgain(
  db: Sql,
  accountId: number,
  { id }: Pick<DestinationRow, 'id'>,
): Promise<DestinationRow> {
  const [row] = await selectDestinations(db, accountId, sql`d.id = ${id}`);
  if (row === undefined) throw new Error('A destination was deleted while it was locked.');
  return row;
}

/** Place of a destination, credentials included. */
export function toTarget({
  name,
  location,
  credentials,
  is_of_account: isOfAccount,
  format,
  options,
}: Pick<
  DestinationRow,
  'name' | 'location' | 'credentials' | 'is_of_account' | 'format' | 'options'
>): DestinationTarget {
  return { name, location, credentials, isOfAccount, format, options };
}

/** Destination without credentials. */
export function toDestination(row: DestinationRow): Destination {
  return {
    destinationId: row.public_id,
    name: row.name,
    scope: scopeOf(row),
    location: row.location,
    hasCredentials: row.credentials !== null,
    format: row.format,
    shapes: row.shapes,
    options: row.options,
    state: row.state,
    stateReason: row.state_reason,
    createdAt: new Date(row.created_at),
    pending: row.pending,
    dead: row.dead,
    lastLandedAt: row.last_landed_at === null ? null : new Date(row.last_landed_at),
  };
}

function scopeOf({ schedule, batch }: DestinationRow): Destination['scope'] {
  if (schedule !== null) return { kind: 'schedule', schedule };
  return batch === null ? { kind: 'account' } : { kind: 'batch', batch };
}
