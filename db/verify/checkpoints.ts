import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, lt } from 'drizzle-orm';
import type { Sql } from '../connection/client.ts';
import { installation } from '../schema/accounts.ts';
import { verifyCheckpoints } from '../schema/checkpoints.ts';

/** Subject of a checkpoint: `ledger` is the chain of an account. */
export type CheckpointKind = 'ledger';

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
}

/** Opens the checkpoints with the installation's secret. */
export async function openCheckpoints(db: Sql): Promise<CheckpointStore> {
  const [found] = await db.select({ secret: installation.secret }).from(installation);
  if (found === undefined)
    throw new Error('The installation has no secret: the migrations did not run to their end.');
  const { secret } = found;
  return {
    readNewest: (kind, scope) => readNewest(db, secret, kind, scope),
    write: (kind, scope, state) => write(db, secret, kind, scope, state),
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
  const isSigned = found.signature.length === expected.length && timingSafeEqual(found.signature, expected);
  return { id: found.id, state: found.state, isSigned };
}

async function write(
  db: Sql,
  secret: Buffer,
  kind: CheckpointKind,
  scope: bigint,
  state: string,
): Promise<void> {
  const signature = sign(secret, kind, scope, state);
  const [written] = await db
    .insert(verifyCheckpoints)
    .values({ kind, scope, state, signature })
    .returning({ id: verifyCheckpoints.id });
  if (written === undefined) return;
  await db
    .delete(verifyCheckpoints)
    .where(
      and(
        eq(verifyCheckpoints.kind, kind),
        eq(verifyCheckpoints.scope, scope),
        lt(verifyCheckpoints.id, written.id),
      ),
    );
}

function sign(secret: Buffer, kind: CheckpointKind, scope: bigint, state: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([kind, String(scope), state]))
    .digest();
}
