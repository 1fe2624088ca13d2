import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSnapshotStore } from '../../db/stores/ads/snapshots.ts';
import { failpoints } from '../../src/core/failpoint.ts';
import { ageRecord } from '../support/db/age-record.ts';
import { openOnPostgres } from '../support/queue/backends.ts';
import { useCrashingNightshift } from '../support/crash/crashing-nightshift.ts';
import { readNightshift } from '../support/cli/nightshift-process.ts';
import { columnOf, dumpOf } from '../support/db/record-dump.ts';
import { listFindings } from '../support/db/findings.ts';
import { loadSample } from '../support/sources/snapshots.ts';

const command = ['purge', '--older-than', '30d'];
const money = ['ledger_entries', 'ledger_blocks', 'credit_balances', 'chunks'];

const crashing = useCrashingNightshift();

test.each(failpoints.purge)(
  'a purge killed at %s leaves every invariant valid, and the next one deletes the rest',
  async (point) => {
    const { database, environment } = await openOnPostgres();
    await loadSample(createSnapshotStore(database.app));
    const folder = mkdtempSync(join(tmpdir(), 'nightshift-purge-'));
    for (const [name, list] of Object.entries(lists)) {
      writeFileSync(join(folder, `${name}.csv`), list);
      await readNightshift(['enrich', `${name}.csv`, '--source', 'sample'], environment, { folder });
    }
    await ageRecord(database, 40);
    const moneyBefore = await dumpOf(database, money);
    const would = (await readNightshift([...command, '--dry-run'], environment, { folder })) as PurgeBody;
    expect(would.kinds[0]?.counts).toMatchObject({ batches: 2, rows: 54 });

    const crashed = await crashing.run(command, { environment, folder, point });
    expect(crashed.signal, crashed.stderr).toBe('SIGKILL');
    expect(await listFindings(database)).toEqual([]);
    await readNightshift(command, environment, { folder });

    const left = (await readNightshift([...command, '--dry-run'], environment, { folder })) as PurgeBody;
    const counts = [...left.kinds.map((kind) => kind.counts), left.unseen_ads ?? {}];
    expect(counts.flatMap((each) => Object.values(each)).every((count) => count === 0)).toBe(true);
    expect(await columnOf(database, 'SELECT 1 FROM nightshift.batch_rows')).toEqual([]);
    expect(await columnOf(database, 'SELECT 1 FROM nightshift.lookup_ads')).toEqual([]);
    expect(await dumpOf(database, money)).toEqual(moneyBefore);
    expect(await listFindings(database)).toEqual([]);
  },
);

interface PurgeBody {
  readonly kinds: readonly { readonly counts: Readonly<Record<string, number>> }[];
  readonly unseen_ads: Readonly<Record<string, number>> | null;
}

const known = ['nike.com', 'spotify.com', 'adidas.de', 'airbnb.com'];
const lists = {
  first: `website\n${known.join('\n')}\n`,
  second: `website\n${Array.from({ length: 50 }, (_, i) => known[i] ?? `company-${i}.com`).join('\n')}\n`,
};
