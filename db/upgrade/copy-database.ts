import { copyPrivileges, copyRoles } from './copy-roles.ts';
import {
  copySequences,
  copyTables,
  emptyTables,
  withServer,
  withoutTriggers,
  type CopiedTable,
  type Copying,
} from './copy-tables.ts';
import { assertSameObjects } from './objects.ts';

export { digestTables } from './copy-tables.ts';

/**
 * Copies the record of a private server to a new one whose schema is of the same release: roles, tables, sequences and privileges, in one
 * snapshot. Every table is compared with its copy. The queue is not copied, it is filled from the record.
 *
 * @throws Conflict for objects that would be left out, and for a copy that differs. The old server stays unchanged.
 */
export function copyDatabase(
  copying: Omit<Copying, 'snapshot'>,
): Promise<Readonly<Record<string, CopiedTable>>> {
  return withServer(copying.fromUrl, (from) =>
    withServer(copying.toUrl, async (to) => {
      await assertSameObjects(from, to);
      await copyRoles(from, to);
      await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await from.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
      const snapshot = rows[0]?.snapshot ?? '';
      const tables = await withoutTriggers(to, async () => {
        await emptyTables(to);
        return copyTables({ ...copying, snapshot });
      });
      await copySequences(from, to);
      await from.query('COMMIT');
      await copyPrivileges(from, to);
      await to.query(withoutBackup);
      await to.query('VACUUM (ANALYZE)');
      return tables;
    }),
  );
}

/** A backup of another server is none of this one: the next one is due at once. */
const withoutBackup = 'UPDATE nightshift.archive SET backed_up_at = NULL, tried_at = NULL, failure = NULL';

/** Makes a backup of a server due whose archive has newer ones of another server. */
export function requireBackup(url: string): Promise<void> {
  return withServer(url, async (server) => void (await server.query(withoutBackup)));
}
