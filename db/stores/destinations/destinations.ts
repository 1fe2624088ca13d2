import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import type { Destination, DestinationScope } from '../../../src/core/destinations/destination.ts';
import {
  destinationsMax,
  type DestinationChanges,
  type DestinationStore,
  type NewDestination,
} from '../../../src/core/destinations/destination-store.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import { newId } from '../../../src/core/ids.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { findOwnBatch } from '../batches/batch-summaries.ts';
import { advisoryLocks } from '../../locks/advisory-locks.ts';
import { destinations } from '../../schema/destinations.ts';
import { schedules } from '../../schema/schedules.ts';
import { writeAudit } from '../accounts/audit-log.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import {
  findDestination,
  lockDestination,
  readDestinationAgain,
  selectDestinations,
  toDestination,
  toTarget,
  type DestinationRow,
} from './destination-rows.ts';
import { giveUpLandings } from './give-up-landings.ts';
import { listLandings, listOfBatch } from './landing-list.ts';
import { openForBatch, replayLandings } from './replay-landings.ts';

/** Destinations in `nightshift.destinations`. */
export function createDestinationStore(db: NodePgDatabase): DestinationStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  const find = (accountId: number, name: string) => withDatabase(() => findDestination(db, accountId, name));
  return {
    create: (accountId, destination, by, kept = null) =>
      inTransaction((sql) => createDestination(sql, accountId, destination, { by, kept })),
    list: (accountId) =>
      withDatabase(async () => (await selectDestinations(db, accountId)).map(toDestination)),
    find: async (accountId, name) => toDestination(await find(accountId, name)),
    findTarget: async (accountId, name) => toTarget(await find(accountId, name)),
    change: (accountId, name, changes, by) =>
      inTransaction((sql) => changeDestination(sql, accountId, name, changes, by)),
    remove: (accountId, name, by) => inTransaction((sql) => removeDestination(sql, accountId, name, by)),
    listLandings: async (accountId, name, page) => {
      const { id } = await find(accountId, name);
      return withDatabase(() => listLandings(db, id, page));
    },
    replay: (accountId, name, replay) =>
      inTransaction(async (sql) =>
        replayLandings(sql, accountId, (await lockDestination(sql, accountId, name)).id, replay),
      ),
    listOfBatch: (batchId) => withDatabase(() => listOfBatch(db, batchId)),
  };
}

interface Creating {
  readonly by: Actor;
  readonly kept: StoredResponse<Destination> | null;
}

async function createDestination(
  db: Sql,
  accountId: number,
  { scope, ...destination }: NewDestination,
  { by, kept }: Creating,
): Promise<Destination> {
  await lockCompletions(db, accountId);
  await rejectTooMany(db, accountId);
  await rejectTaken(db, accountId, destination.name);
  const scoped = await findScope(db, accountId, scope);
  const publicId = newId('dst', Date.now());
  await db.insert(destinations).values({
    ...{ publicId, accountId, ...destination, ...scoped },
    // After the lock: batches that finished before it have no landing.
    takesSince: sql`clock_timestamp()`,
  });
  const row = await findDestination(db, accountId, publicId);
  if (scoped.batchId !== null) await openForBatch(db, row.id, scoped.batchId);
  await audit(db, accountId, 'destination_created', row, by);
  const created = toDestination(await readDestinationAgain(db, accountId, row));
  await keepAnswer(db, kept, created);
  return created;
}

/**
 * Excludes the completion of batches of the account until the transaction ends: each batch sees the destination, or finished before it
 * (`nightshift.land_batch`). Two destinations at once cannot take the same name, nor both be the last one allowed.
 */
async function lockCompletions(db: Sql, accountId: number): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.destinations}, ${accountId})`);
}

async function rejectTooMany(db: Sql, accountId: number): Promise<void> {
  const { length } = await selectDestinations(db, accountId);
  if (length < destinationsMax) return;
  throw new Conflict(
    `An account may have ${destinationsMax} destinations. Remove one that is not needed any more.`,
  );
}

async function rejectTaken(db: Sql, accountId: number, name: string): Promise<void> {
  const [taken] = await selectDestinations(db, accountId, sql`d.state <> 'removed' AND d.name = ${name}`);
  if (taken === undefined) return;
  throw new Conflict(`There is a destination "${name}" already. Remove it first, or choose another name.`);
}

async function findScope(db: Sql, accountId: number, scope: DestinationScope) {
  if (scope.kind === 'schedule') {
    const { id, publicId, name, state } = schedules;
    const isNamed = or(eq(publicId, scope.schedule), eq(name, scope.schedule));
    const [schedule] = await db
      .select({ id })
      .from(schedules)
      .where(and(eq(schedules.accountId, accountId), isNamed, ne(state, 'removed')));
    if (schedule === undefined) throw new NotFound(`There is no schedule ${scope.schedule}.`);
    return { scheduleId: Number(schedule.id), batchId: null };
  }
  return {
    scheduleId: null,
    batchId: scope.kind === 'batch' ? await findOwnBatch(db, accountId, scope.batch) : null,
  };
}

async function changeDestination(
  db: Sql,
  accountId: number,
  name: string,
  changes: DestinationChanges,
  by: Actor,
): Promise<Destination> {
  await lockCompletions(db, accountId);
  const before = await lockDestination(db, accountId, name);
  const { name: newName, chosen, credentials } = changes;
  if (newName !== undefined && newName !== before.name) await rejectTaken(db, accountId, newName);
  const state = changes.state ?? before.state;
  await db
    .update(destinations)
    .set({
      name: newName,
      credentials,
      format: chosen?.format,
      shapes: chosen?.shapes,
      options: chosen?.options,
      takesSince: chosen === undefined ? undefined : sql`clock_timestamp()`,
      state,
      stateReason: reasonAfter(before, state, changes),
    })
    .where(eq(destinations.id, before.id));
  const after = await readDestinationAgain(db, accountId, before);
  await audit(db, accountId, 'destination_changed', after, by);
  return toDestination(after);
}

/** A reason of the storage is obsolete after a change. */
function reasonAfter(
  before: DestinationRow,
  state: DestinationRow['state'],
  { credentials }: DestinationChanges,
): string | null {
  if (state === 'disabled') return before.state === 'disabled' ? before.state_reason : 'by request';
  return before.state === 'disabled' || credentials !== undefined ? null : before.state_reason;
}

async function removeDestination(db: Sql, accountId: number, name: string, by: Actor): Promise<Destination> {
  const row = await lockDestination(db, accountId, name);
  await db
    .update(destinations)
    .set({ state: 'removed', stateReason: 'by request', credentials: null })
    .where(eq(destinations.id, row.id));
  await giveUpLandings(db, row.id, 'the destination was removed');
  await audit(db, accountId, 'destination_removed', row, by);
  return toDestination(await readDestinationAgain(db, accountId, row));
}

async function audit(
  db: Sql,
  accountId: number,
  event: string,
  row: DestinationRow,
  by: Actor,
): Promise<void> {
  const details = {
    destination: row.public_id,
    name: row.name,
    kind: row.location.kind,
    format: row.format,
    shapes: row.shapes,
    state: row.state,
  };
  await writeAudit(db, { accountId, event, keyId: null, ...by, details });
}
