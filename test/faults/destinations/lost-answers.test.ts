import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../../../src/core/errors.ts';
import type { DestinationPlace, DestinationPorts } from '../../../src/core/destinations/run-landings.ts';
import { buildFixture } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';
import { checkFiles, readLanded } from '../../support/destinations/landed-files.ts';
import {
  accountId,
  openLandingFixture,
  type LandingFixture,
} from '../../support/destinations/landing-fixture.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { testFolder } from '../../support/storage/local-files.ts';
import { lossyKinds } from '../../support/storage/lossy-places.ts';

/** Share of the calls of a storage whose answer is lost after they were done, and before. */
const lostAfter = 0.3;
const lostBefore = 0.1;

const shapes = ['rows', 'ads', 'variants'] as const;

interface Losing {
  readonly losses: () => number;
  readonly lossesWanted: number;
  readonly setLossy: (isLossy: boolean) => void;
  /** Files of the receiver. */
  readonly files: () => ReadonlyMap<string, Buffer>;
  readonly ports?: Partial<DestinationPorts>;
}

/** Lands a batch in the destination `lake` again and again, and checks after each time what the receiver has. */
async function landUntilLost(fixture: LandingFixture, losing: Losing): Promise<void> {
  const { losses, lossesWanted, setLossy, files, ports } = losing;
  const { finished } = await buildFixture(fixture.database.app);
  let expected: readonly unknown[] | null = null;
  while (losses() < lossesWanted) {
    setLossy(true);
    await fixture.service.replay(accountId, 'lake', { kind: 'batch', batch: finished.publicId });
    while ((await fixture.service.find(accountId, 'lake')).pending > 0) {
      await fixture.land(ports);
      await fixture.skipDelays();
    }
    setLossy(false);
    await fixture.service.replay(accountId, 'lake', { kind: 'dead' });
    await fixture.skipDelays();
    await fixture.land();
    const landed = checkFiles(files());
    expect(landed).toHaveLength(shapes.length);
    expected ??= landed;
    expect(landed).toEqual(expected);
  }
  expect(fixture.errors).toEqual([]);
  expect(await listFindings(fixture.database)).toEqual([]);
}

test('a destination that loses five hundred answers has every file once, with its manifest', async () => {
  const fixture = await openLandingFixture();
  const folder = testFolder();
  await fixture.add('lake', folder, { shapes });
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
  await landUntilLost(fixture, {
    losses: () => losses,
    lossesWanted: randomRuns(500),
    setLossy: () => undefined,
    files: () => readLanded(folder),
    ports: { openStorage },
  });
});

for (const { kind, unavailableReason, open } of lossyKinds) {
  describe.skipIf(unavailableReason !== null)(
    `landings${unavailableReason === null ? '' : ` (not run: ${unavailableReason})`}`,
    () => {
      test(`a ${kind} whose line loses 250 answers has every file once, with its manifest`, async () => {
        const [fixture, place] = [await openLandingFixture(), await open()];
        const { location, credentials } = place;
        await fixture.add('lake', '/replaced', { location, credentials, shapes });
        await landUntilLost(fixture, { ...place, lossesWanted: randomRuns(250) });
      });
    },
  );
}
