import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSnapshotStore } from '../../../../db/stores/ads/snapshots.ts';
import { fullId } from '../../../../src/core/companies/platform-id.ts';
import type { AdRegion } from '../../../../src/core/ads/ad-details.ts';
import { importSnapshot } from '../../../../src/sources/snapshot/import.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/db/database.ts';
import { knownAsOf, modelledReach, type KnownAd } from '../../../support/exports/details-model.ts';
import {
  askedDays,
  exportHistories,
  loadDays,
  type ExportHistory,
} from '../../../support/exports/export-histories.ts';
import { writeCsv, writeLines, type WrittenRow } from '../../../support/exports/write-rows.ts';
import { creativeId, writeFiles } from '../../../support/sources/snapshots.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

test('2,000 histories of exports equal their model as of every day, in every column', async () => {
  const histories = fc.sample(exportHistories, { numRuns: 2_000, seed: takeSeedNumber() });
  const database = await openTestDatabase();
  for (const [i, day] of loadDays.entries()) await load(database, histories, i, day);
  for (const day of askedDays) {
    const known = (isRemoved: boolean) =>
      histories.flatMap((history, n) =>
        knownAsOf(history, day, isRemoved).map((ad) => ({
          creative: fullId(creativeId((n + 1) * 10 + ad.ad)),
          ad,
        })),
      );
    const ads = known(false);
    expectSame(
      await read(database, detailsSql, day),
      ads.map(({ creative, ad }) => [creative, ...detailsOf(ad)]),
    );
    expectSame(
      await read(database, regionsSql, day),
      ads
        .flatMap(({ creative, ad }) => ad.regions.map((region) => [creative, ...regionOf(region)]))
        .sort(byText),
    );
    expectSame(
      await read(database, removedSql, day),
      known(true).flatMap(({ creative, ad }) => removalsOf(ad).map((removal) => [creative, ...removal])),
    );
  }
});

type Line = readonly unknown[];

/** Loads the rows of all histories: of one load in two files, of which one may be a CSV. */
async function load(
  { app }: TestDatabase,
  histories: readonly ExportHistory[],
  i: number,
  asOf: string,
): Promise<void> {
  const rows = histories.flatMap((history, n): readonly WrittenRow[] =>
    (history[i] ?? []).map((truth) => ({ advertiser: n + 1, truth })),
  );
  // All rows of a history are in one file, in their order: only then is the last of them known.
  const inCsv = rows.filter(({ advertiser, truth }) => advertiser % 3 === 0 && !truth.isRemoved);
  const removedInCsv = rows.filter(({ advertiser, truth }) => advertiser % 3 === 0 && truth.isRemoved);
  const contents = {
    'lines.ndjson': writeLines(rows.filter(({ advertiser }) => advertiser % 3 > 0)),
    'cells.csv': writeCsv(inCsv),
    'removed.csv': writeCsv(removedInCsv),
  };
  const files = await writeFiles(
    i % 2 === 0 ? contents : Object.fromEntries(Object.entries(contents).toReversed()),
  );
  await importSnapshot({ store: createSnapshotStore(app), name: 'snapshot', files, asOf });
}

/** Lines of an answer, as JSON has them: numbers of Postgres beyond 32 bits are no texts. */
async function read({ owner }: TestDatabase, query: string, day: string): Promise<readonly Line[]> {
  const { rows } = await owner.pool.query<{ line: Line }>(query, [day]);
  return rows.map(({ line }) => line);
}

/** Compares line by line first: a difference of thousands of lines cannot be read. */
function expectSame(actual: readonly Line[], due: readonly Line[]): void {
  const differs = due.findIndex((line, i) => JSON.stringify(line) !== JSON.stringify(actual[i]));
  if (differs !== -1) expect(actual[differs]).toEqual(due[differs]);
  expect(actual).toHaveLength(due.length);
}

const valid = 'valid_from <= $1::date AND (valid_to IS NULL OR valid_to > $1::date)';

const detailsSql = `SELECT jsonb_build_array(creative_id, topic, payer, is_grant_funded, legal_name, location, verification, demographic_info,
    geo_location, contextual_signals, customer_lists, topics_of_interest, regions, surfaces, times_shown_lower, times_shown_upper) AS line
  FROM reports.ad_details WHERE ${valid} ORDER BY creative_id COLLATE "C"`;

function detailsOf(ad: KnownAd): Line {
  return [
    ad.topic,
    ad.payer,
    ad.isGrantFunded,
    ad.legalName,
    ad.location,
    ad.verification,
    ...targetingOf(ad),
    ...placesOf(ad),
    ...modelledReach(ad.regions),
  ];
}

function targetingOf({ targeting }: KnownAd): Line {
  const { demographicInfo = null, geoLocation = null, contextualSignals = null } = targeting ?? {};
  return [
    demographicInfo,
    geoLocation,
    contextualSignals,
    targeting?.customerLists ?? null,
    targeting?.topicsOfInterest ?? null,
  ];
}

function placesOf({ regions }: KnownAd): Line {
  const surfaces = [
    ...new Set(regions.flatMap((region) => region.surfaces.map(({ surface }) => surface))),
  ].sort();
  return [regions.map(({ region }) => region), surfaces].map((places) =>
    places.length === 0 ? null : places,
  );
}

const regionsSql = `SELECT jsonb_build_array(creative_id, region, first_shown, last_shown, times_shown_lower, times_shown_upper,
    times_shown_available_on, times_shown_from, times_shown_to, (
      SELECT jsonb_agg(jsonb_build_array(s ->> 'surface', s -> 'times_shown_lower', s -> 'times_shown_upper', s -> 'times_shown_available_on') ORDER BY n)
      FROM jsonb_array_elements(surfaces) WITH ORDINALITY AS f(s, n))) AS line
  FROM reports.ad_regions WHERE ${valid} ORDER BY creative_id COLLATE "C", region COLLATE "C"`;

function regionOf(region: AdRegion): Line {
  const times = (shown: AdRegion['timesShown']) => [
    shown?.lower ?? null,
    shown?.upper ?? null,
    shown?.availableOn ?? null,
  ];
  const surfaces = region.surfaces.map(({ surface, timesShown }) => [surface, ...times(timesShown)]);
  return [
    region.region,
    region.firstShown,
    region.lastShown,
    ...times(region.timesShown),
    region.timesShownFrom,
    region.timesShownTo,
    surfaces.length === 0 ? null : surfaces,
  ];
}

const removedSql = `SELECT jsonb_build_array(creative_id, position, removal_reason, violation_category, is_automated, removal_location,
    decision_type, demographic_info, geo_location, contextual_signals, customer_lists, topics_of_interest, regions, surfaces, (
      SELECT jsonb_agg(jsonb_build_array(r ->> 'region', r -> 'first_shown', r -> 'last_shown', r -> 'times_shown_lower', r -> 'times_shown_upper',
        r -> 'times_shown_available_on', r -> 'times_shown_from', r -> 'times_shown_to', jsonb_array_length(r -> 'surfaces')) ORDER BY n)
      FROM jsonb_array_elements(region_stats) WITH ORDINALITY AS g(r, n))) AS line
  FROM reports.removed_ads WHERE ${valid} ORDER BY creative_id COLLATE "C", position`;

function removalsOf(ad: KnownAd): readonly Line[] {
  const stats = ad.regions.map((region) => [...regionOf(region).slice(0, 8), region.surfaces.length]);
  const rest = [...targetingOf(ad), ...placesOf(ad), stats.length === 0 ? null : stats];
  const decisions = ad.disapprovals.map((each, n) => [
    n + 1,
    each.removalReason,
    each.violationCategory,
    each.isAutomated,
    each.removalLocation,
    each.decisionType,
    ...rest,
  ]);
  return decisions.length === 0 ? [[null, null, null, null, null, null, ...rest]] : decisions;
}

function byText(one: Line, other: Line): number {
  const [first, second] = [one, other].map((line) => `${String(line[0])} ${String(line[1])}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
