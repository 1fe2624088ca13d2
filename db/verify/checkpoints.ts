import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import type { Sql } from '../connection/client.ts';
import { installation } from '../schema/accounts.ts';
import { verifyCheckpoints } from '../schema/checkpoints.ts';

/** Number of checkpoints that one statement stores. */
const rowsPerInsert = 1_000;

/**
 * Subject of a checkpoint: `ledger` is the chain of an account, `entries` the lookups of its entries. The scope of `batch` and `snapshot` is an id,
 * that of the others, which prove all up to an id, is 0.
 */
export type CheckpointKind =
  'ledger' | 'entries' | 'batch' | 'snapshot' | 'requests' | 'verdicts' | 'calls' | 'answers' | 'versions';

/** Newest checkpoint of a scope. */
export interface Checkpoint {
  readonly id: bigint;
  readonly state: string;
  /** False if another installation, or someone by hand, wrote it: it proves nothing. */
  readonly isSigned: boolean;
}

/** Checkpoints of this installation: states that `nightshift verify` has proved, so that a later run reads only what follows. */
export interface CheckpointStore {
  /** Reads the newest checkpoint; null if there is none. A state is the text that `write` received. */
  readNewest(kind: CheckpointKind, scope: bigint): Promise<Checkpoint | null>;
  /** Signs and stores a state, and deletes the earlier ones of its scope. */
  write(kind: CheckpointKind, scope: bigint, state: string): Promise<void>;
  /** Reads the newest states of all scopes. States that this installation did not sign are left out. */
  readAll(kind: CheckpointKind): Promise<ReadonlyMap<bigint, string>>;
  /** Does the same as `write` for many scopes. */
  writeAll(kind: CheckpointKind, states: ReadonlyMap<bigint, string>): Promise<void>;
  /** Deletes the checkpoints of these scopes. */
  remove(kind: CheckpointKind, scopes: readonly bigint[]): Promise<void>;
}

/** Opens the checkpoints with the installation's secret. */
export async function openCheckpoints(db: Sql): Promise<CheckpointStore> {
  const [found] = await db.select({ secret: installation.secret }).from(installation);
  if (found === undefined)
    throw new Error('The installation has no secret: the migrations did not run to their end.');
  const { secret } = found;
  return {
    readNewest: (kind, scope) => readNewest(db, secret, kind, scope),
    write: (kind, scope, state) => writeAll(db, secret, kind, new Map([[scope, state]])),
    readAll: (kind) => readAll(db, secret, kind),
    writeAll: (kind, states) => writeAll(db, secret, kind, states),
    remove: (kind, scopes) => remove(db, kind, scopes),
  };
}

async function readNewest(
  db: Sql,
  secret: Buffer,
  kind: CheckpointKind,
  scope: bigint,
): Promise<Checkpoint | null> {
  const { id, state, signature } = verifyCheckpoints;
  const [found] = await db
    .select({ id, state, signature })
    .from(verifyCheckpoints)
    .where(and(eq(verifyCheckpoints.kind, kind), eq(verifyCheckpoints.scope, scope)))
    .orderBy(desc(id))
    .limit(1);
  if (found === undefined) return null;
  const expected = sign(secret, kind, scope, found.state);
  return { id: found.id, state: found.state, isSigned: isEqual(found.signature, expected) };
}

async function readAll(db: Sql, secret: Buffer, kind: CheckpointKind): Promise<ReadonlyMap<bigint, string>> {
  const { id, scope, state, signature } = verifyCheckpoints;
  const found = await db
    .select({ scope, state, signature })
    .from(verifyCheckpoints)
    .where(eq(verifyCheckpoints.kind, kind))
    .orderBy(id);
  return new Map(
    found
      .filter((each) => isEqual(each.signature, sign(secret, kind, each.scope, each.state)))
      .map((each) => [each.scope, each.state]),
  );
}

async function writeAll(
  db: Sql,
  secret: Buffer,
  kind: CheckpointKind,
  states: ReadonlyMap<bigint, string>,
): Promise<void> {
  const rows = [...states].map(([scope, state]) => ({
    kind,
    scope,
    state,
    signature: sign(secret, kind, scope, state),
  }));
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const part = rows.slice(from, from + rowsPerInsert);
    const written = await db.insert(verifyCheckpoints).values(part).returning({ id: verifyCheckpoints.id });
    const first = written[0]?.id;
    if (first === undefined) return;
    const scopes = part.map(({ scope }) => scope);
    await db.delete(verifyCheckpoints).where(and(isOf(kind, scopes), lt(verifyCheckpoints.id, first)));
  }
}

async function remove(db: Sql, kind: CheckpointKind, scopes: readonly bigint[]): Promise<void> {
  for (let from = 0; from < scopes.length; from += rowsPerInsert)
    await db.delete(verifyCheckpoints).where(isOf(kind, scopes.slice(from, from + rowsPerInsert)));
}

function isOf(kind: CheckpointKind, scopes: readonly bigint[]) {
  return and(eq(verifyCheckpoints.kind, kind), inArray(verifyCheckpoints.scope, [...scopes]));
}

function isEqual(signature: Buffer, expected: Buffer): boolean {
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

function sign(secret: Buffer, kind: CheckpointKind, scope: bigint, state: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([kind, String(scope), state]))
    .digest();
}
