import { expect, test } from 'vitest';
import { StorageUnavailable } from '../../../src/core/errors.ts';
import type { DestinationPlace } from '../../../src/core/destinations/run-landings.ts';
import { buildFixture } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';
import { checkLanded } from '../../support/destinations/landed-files.ts';
import { accountId, openLandingFixture } from '../../support/destinations/landing-fixture.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { testFolder } from '../../support/storage/local-files.ts';

/** Share of the calls of a storage whose answer is lost after they were done, and before. */
const lostAfter = 0.3;
const lostBefore = 0.1;

test('a destination that loses five hundred answers has every file once, with its manifest', async () => {
  const fixture = await openLandingFixture();
  const folder = testFolder();
  await fixture.add('lake', folder, { shapes: ['rows', 'ads', 'variants'] });
  const { finished } = await buildFixture(fixture.database.app);
  let losses = 0;
  const openStorage = async (place: DestinationPlace) => {
    const storage = await fixture.ports.openStorage(place);
    const unreliable = async (call: () => Promise<void>) => {
      const chance = Math.random();
      if (chance >= lostAfter + lostBefore) return call();
      losses += 1;
      if (chance < lostAfter) await call();
      throw new StorageUnavailable('The answer was lost.');
    };
    return {
      ...storage,
      write: (...write: Parameters<typeof storage.write>) => unreliable(() => storage.write(...write)),
      remove: (...removal: Parameters<typeof storage.remove>) => unreliable(() => storage.remove(...removal)),
    };
  };
  let expected: readonly unknown[] | null = null;
  while (losses < randomRuns(500)) {
    await fixture.service.replay(accountId, 'lake', { kind: 'batch', batch: finished.publicId });
    while ((await fixture.service.find(accountId, 'lake')).pending > 0) {
      await fixture.land({ openStorage });
      await fixture.skipDelays();
    }
    await fixture.service.replay(accountId, 'lake', { kind: 'dead' });
    await fixture.skipDelays();
    await fixture.land();
    const landed = checkLanded(folder);
    expect(landed).toHaveLength(3);
    expected ??= landed;
    expect(landed).toEqual(expected);
  }
  expect(fixture.errors).toEqual([]);
  expect(await listFindings(fixture.database)).toEqual([]);
});
