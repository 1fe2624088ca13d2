import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { isTemporaryName } from '../../../src/adapters/storage/temporary-place.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { badList } from '../../support/inboxes/inbox-run.ts';
import { listOf, openTestInboxes, type TestInboxes } from '../../support/inboxes/test-inboxes.ts';
import { lossyKinds, type LossyPlace } from '../../support/storage/lossy-places.ts';

const lossesWanted = 150;
/** Files of a round. */
const [goodFiles, copies, badFiles] = [8, 2, 2];
/** Share of the loaded files that their sender replaces, before or after they are moved. */
const replaced = 0.5;

for (const { kind, unavailableReason, open } of lossyKinds) {
  describe.skipIf(unavailableReason !== null)(
    `an inbox${unavailableReason === null ? '' : ` (not run: ${unavailableReason})`}`,
    () => {
      test.each(['move', 'delete'] as const)(
        `on a ${kind} whose line loses ${lossesWanted} answers loads every content once, and what it does then is: %s`,
        async (after) => {
          const place = await open();
          const settings = { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' };
          const inboxes = await openTestInboxes({ settings });
          await inboxes.add({ location: place.location, after }, place.credentials);
          const sent = new Set<string>();
          for (let round = 0; place.losses() < randomRuns(lossesWanted); round += 1) {
            const failed = sendFiles(place, round, sent);
            await pollUntilSettled(inboxes, place, sent);
            expect(await loadedNames(inboxes)).toEqual([...sent].sort());
            const wanted = failed.flatMap((path) => [`failed/${path}`, `failed/${path}.reason.txt`]);
            const paths = [...place.files().keys()].filter((path) => !isTemporaryName(basename(path)));
            expect(paths.filter((path) => !path.startsWith('done/'))).toEqual(wanted);
            const done = [...place.files()].filter(([path]) => path.startsWith('done/'));
            if (after === 'delete') expect(done).toEqual([]);
            else
              expect(new Set(done.map(([, content]) => content.toString())).size).toBe(done.length - copies);
            for (const path of paths) place.remove(path);
            expect(await inboxes.events('inbox.file_failed')).toHaveLength((round + 1) * badFiles);
          }
          expect(await inboxes.findings()).toEqual([]);
        },
      );
    },
  );
}

/** Puts the files of a round into the place. Returns the paths of those that are bad, in their order. */
function sendFiles(place: LossyPlace, round: number, sent: Set<string>): readonly string[] {
  for (let n = 0; n < goodFiles; n += 1) {
    sent.add(`r${round}-n${n}`);
    place.put(`good-${round}-${n}.csv`, listOf(`r${round}-n${n}`));
  }
  for (let n = 0; n < copies; n += 1) place.put(`copy-${round}-${n}.csv`, listOf(`r${round}-n${n}`));
  const bad = Array.from({ length: badFiles }, (_, n) => `bad-${round}-${n}.csv`);
  for (const path of bad) place.put(path, badList(path));
  return bad;
}

/**
 * Looks until every file has ended. Meanwhile a sender that sees its list loaded may send the next one under the same name: no content is
 * replaced before it was loaded.
 */
async function pollUntilSettled(inboxes: TestInboxes, place: LossyPlace, sent: Set<string>): Promise<void> {
  const again = new Set<string>();
  place.setLossy(true);
  for (let look = 0; !(await isSettled(inboxes, place)); look += 1) {
    // A line that loses everything would never let it end.
    if (look === 200) place.setLossy(false);
    await inboxes.look();
    for (const { path, state } of await inboxes.files()) {
      if (state !== 'loaded' || again.has(path) || !path.startsWith('good-')) continue;
      again.add(path);
      if (Math.random() >= replaced) continue;
      const name = `again-${path.slice('good-'.length, -'.csv'.length)}`;
      sent.add(name);
      place.put(path, listOf(name));
    }
  }
  place.setLossy(false);
}

/** True if no file waits to be loaded or moved: by the place, and by the product. */
async function isSettled({ database }: TestInboxes, place: LossyPlace): Promise<boolean> {
  const arrivals = [...place.files().keys()].filter((path) => !/^(done|failed)\//.test(path));
  const { rows } = await database.owner.sql.execute<{ n: number }>(
    sql`SELECT count(*)::integer AS n FROM nightshift.inbox_files WHERE settled_at IS NULL OR pending IS NOT NULL`,
  );
  return arrivals.length === 0 && rows[0]?.n === 0;
}

/** Names of the contents of all batches, in their order: twice where two batches have the same. */
async function loadedNames({ database }: TestInboxes): Promise<readonly string[]> {
  const { rows } = await database.owner.sql.execute<{ name: string }>(
    sql`SELECT left(r.cells[1], -6) AS name FROM nightshift.batch_rows r JOIN nightshift.batches b ON b.id = r.batch_id
      WHERE b.loaded_at IS NOT NULL AND r.cells[1] LIKE '%-a.com' ORDER BY 1`,
  );
  return rows.map(({ name }) => name).sort();
}
