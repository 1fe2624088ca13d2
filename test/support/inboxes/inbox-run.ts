import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import type { InboxTerms } from '../../../src/core/inboxes/inbox.ts';
import { temporaryFolder } from '../faults/loaded-batch.ts';
import type { OpenedBackend } from '../queue/backends.ts';
import { loadSample } from '../sources/snapshots.ts';
import type { OwnDatabase } from './own-database.ts';
import { listOf, openTestInboxes } from './test-inboxes.ts';

/** A file without any company or address; `name` makes its content unique. */
export function badList(name: string): string {
  return `colour,size\n${name},1\n`;
}

/** An inbox on a folder, on which processes with short leases work. Its files are moved to `done/`. */
export async function openInboxRun(
  opened: OpenedBackend,
  terms: Partial<InboxTerms> = {},
  own: OwnDatabase | null = null,
) {
  const settings = own === null ? {} : { NIGHTSHIFT_ALLOWED_HOSTS: own.allowedHosts };
  const service = await openTestInboxes({ opened, settings });
  await loadSample(createSnapshotStore(service.database.app));
  const inbox = await service.add(
    { sources: ['sample'], after: own === null ? 'move' : 'keep', ...terms },
    own?.credentials,
  );

  async function readStates(): Promise<readonly string[]> {
    const { rows } = await service.database.owner.sql.execute<{ file: string }>(
      sql`SELECT format('%s: %s at %s', path, state, place) AS file FROM nightshift.inbox_files
        WHERE pending IS NULL ORDER BY path COLLATE "C", id`,
    );
    return rows.map(({ file }) => file);
  }

  async function makeDue(): Promise<void> {
    await service.database.owner.sql.execute(
      sql`UPDATE nightshift.inboxes SET next_at = now() WHERE lease_until IS NULL AND state = 'active' AND next_at > now()`,
    );
  }

  /** Resolves when all files have ended and are where they belong. Makes the inbox due, because its pattern has minutes. */
  const untilSettled = (files: number, timeoutMs: number) =>
    vi.waitFor(
      async () => {
        await makeDue();
        const ended = (await readStates()).filter((file) => / (loaded|joined|failed|ignored) at /.test(file));
        if (ended.length < files) throw new Error(`${ended.length} of ${files} files have ended.`);
      },
      { timeout: timeoutMs, interval: 200 },
    );

  return {
    ...service,
    inbox,
    readStates,
    untilSettled,
    environment: {
      ...opened.environment,
      ...settings,
      NIGHTSHIFT_LEASE_SECONDS: '1',
      NIGHTSHIFT_HOME: temporaryFolder(),
    },
    /** Ids of the rows of batches that are loaded, in their order. Makes the inbox due, because its pattern has minutes. */
    loadedRows: async () => {
      await makeDue();
      const { rows } = await service.database.owner.sql.execute<{ id: number }>(
        sql`SELECT r.cells[1]::integer AS id FROM nightshift.batch_rows r JOIN nightshift.batches b ON b.id = r.batch_id
          WHERE b.loaded_at IS NOT NULL ORDER BY 1`,
      );
      return rows.map(({ id }) => id);
    },
    /** Writes a list, one with the same content, a bad one and another list. */
    writeFiles: () => {
      service.write('a.csv', listOf('a'));
      service.write('b.csv', listOf('a'));
      service.write('c-bad.csv', badList('c'));
      service.write('d.csv', listOf('d'));
    },
    readResult: async () => ({
      states: await readStates(),
      paths: service.paths(),
      batches: (await service.batches()).map(({ fileName }) => fileName).sort(),
      events: (await service.events('inbox.file_failed')).map(({ file }) => file),
      findings: await service.findings(),
    }),
  };
}

/** Expected state after the files of `writeFiles`. */
export const expectedResult = {
  states: [
    'a.csv: loaded at done/a.csv',
    'b.csv: joined at done/b.csv',
    'c-bad.csv: failed at failed/c-bad.csv',
    'd.csv: loaded at done/d.csv',
  ],
  paths: ['done/a.csv', 'done/b.csv', 'done/d.csv', 'failed/c-bad.csv', 'failed/c-bad.csv.reason.txt'],
  batches: ['a.csv', 'd.csv'],
  events: ['c-bad.csv'],
  findings: [],
};
