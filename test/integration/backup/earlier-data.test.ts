import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { ensurePrivateServer, stopPrivateServer, upgradeRecord } from '../../../src/postgres-server/index.ts';
import { removeEarlierData } from '../../../src/postgres-server/upgrade/back-out.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';

const homes = createHomes();
afterAll(homes.clear);

/** Makes a folder that looks like the data of Postgres 17. */
async function makeEarlier(parent: string): Promise<string> {
  const folder = join(parent, 'postgres-17');
  await mkdir(folder);
  await writeFile(join(folder, 'PG_VERSION'), '17\n');
  return folder;
}

test('a copied home acts on its own data from before an upgrade, never on that of the original', async () => {
  const home = await homes.make();
  const { dataFolder } = await ensurePrivateServer({ home });
  await stopPrivateServer({ home, force: true });
  const original = await mkdtemp(join(tmpdir(), 'nightshift-original-'));
  onTestFinished(() => rm(original, { recursive: true, force: true }));
  const ofOriginal = await makeEarlier(original);
  await upgradeRecord.write(dataFolder, {
    fromMajor: 17,
    fromFolder: ofOriginal,
    upgradedAt: new Date().toISOString(),
    tables: {},
  });
  await expect(removeEarlierData(home)).rejects.toThrow('There is no data from before an upgrade');
  const own = await makeEarlier(dirname(dataFolder));
  expect(await removeEarlierData(home)).toMatchObject({ dataFolder: own });
  expect([existsSync(own), existsSync(ofOriginal)]).toEqual([false, true]);
});
