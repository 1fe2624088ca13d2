import { expect, test } from 'vitest';
import { createSampleDays } from '../../../../../src/app/sources/sample-days.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';
import type { Snapshot, SnapshotStore } from '../../../../../src/core/sources/snapshot-store.ts';

/** A sample whose store and process have their own clocks; `loads` are the days that were loaded. */
function openSample({ asOf = null as string | null } = {}) {
  const clocks = { database: '2026-11-27', process: '2026-11-27' };
  const loads: (string | null | undefined)[] = [];
  const notes: string[] = [];
  const sample = { asOf, onLoad: (): unknown => undefined };
  const snapshots: Pick<SnapshotStore, 'find' | 'load' | 'today'> = {
    today: () => Promise.resolve(clocks.database),
    find: (name) => Promise.resolve(sample.asOf === null ? null : snapshotOf(name, sample.asOf)),
    load: (_name, _rows, options) => {
      loads.push(options?.asOf);
      sample.onLoad();
      if (sample.asOf !== null && (options?.asOf ?? '') < sample.asOf)
        return Promise.reject(new ValidationError('older'));
      sample.asOf = options?.asOf ?? null;
      return Promise.resolve({
        ...{ snapshotId: 1, rows: 0, duplicates: 0, ads: 0, adsNew: 0, adsChanged: 0 },
        ...{ advertisers: 0, removedAds: 0, asOf: options?.asOf ?? '' },
      });
    },
  };
  const days = createSampleDays({
    snapshots,
    onLoad: () => notes.push('loading'),
    now: () => new Date(`${clocks.process}T12:00:00Z`),
  });
  return { clocks, days, loads, notes, sample };
}

function snapshotOf(name: Snapshot['name'], asOf: string): Snapshot {
  return { id: 1, name, asOf, isGenerated: true, loadedAt: new Date(0), hasRegions: true, hasSurfaces: true };
}

test('loads the sample once a day, also for simultaneous calls, with a note', async () => {
  const { clocks, days, loads, notes } = openSample();
  await Promise.all([days.keepCurrent(), days.keepCurrent()]);
  await days.keepCurrent();
  expect([loads, notes]).toEqual([['2026-11-27'], ['loading']]);
  [clocks.process, clocks.database] = ['2026-11-28', '2026-11-28'];
  await days.keepCurrent();
  expect(loads).toEqual(['2026-11-27', '2026-11-28']);
});

test('loads nothing while another process has loaded the day', async () => {
  const { days, loads, notes } = openSample({ asOf: '2026-11-27' });
  await days.keepCurrent();
  expect([loads, notes]).toEqual([[], []]);
});

test('follows the clock of the database, and checks again while its own is ahead', async () => {
  const { clocks, days, loads } = openSample({ asOf: '2026-11-27' });
  clocks.process = '2026-11-28';
  await days.keepCurrent();
  expect(loads).toEqual([]);
  clocks.database = '2026-11-28';
  await days.keepCurrent();
  expect(loads).toEqual(['2026-11-28']);
});

test('accepts that another process loads a later day meanwhile', async () => {
  const { days, loads, sample } = openSample();
  // Both have found no sample; the other one is first.
  sample.onLoad = () => (sample.asOf = '2026-11-28');
  await days.keepCurrent();
  expect([loads, sample.asOf]).toEqual([['2026-11-27'], '2026-11-28']);
});

test('reports the error of a load, and tries again', async () => {
  const errors = ['disk full', 'still full'];
  const days = createSampleDays({
    snapshots: {
      today: () => Promise.resolve('2026-11-27'),
      find: () => Promise.resolve(null),
      load: () => Promise.reject(new Error(errors.shift())),
    },
    onLoad: () => undefined,
  });
  await expect(days.keepCurrent()).rejects.toThrow('disk full');
  await expect(days.keepCurrent()).rejects.toThrow('still full');
});

test('loads nothing while it is held, and the day after that', async () => {
  const { days, loads } = openSample({ asOf: '2026-11-26' });
  await days.holdWhile(() => days.keepCurrent());
  expect(loads).toEqual([]);
  await days.keepCurrent();
  expect(loads).toEqual(['2026-11-27']);
});
