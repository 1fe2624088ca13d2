import { bigint, index, text } from 'drizzle-orm/pg-core';
import { bytea, moment, nightshift } from './schema.ts';

/**
 * States up to which `nightshift verify` has proved something, so that a later run reads only what follows. Signed with the installation's
 * secret: a state that someone else wrote proves nothing.
 */
export const verifyCheckpoints = nightshift.table(
  'verify_checkpoints',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The kind of the state: `CheckpointKind`. */
    kind: text().notNull(),
    /** The part that was proved: the id of an account, batch or snapshot, or 0 for all up to an id. */
    scope: bigint({ mode: 'bigint' }).notNull(),
    /** The proved state, as its kind defines it. */
    state: text().notNull(),
    signature: bytea().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('verify_checkpoints_newest').on(table.kind, table.scope, table.id)],
);
