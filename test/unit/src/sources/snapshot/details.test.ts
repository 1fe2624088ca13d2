import { describe, expect, test } from 'vitest';
import { parseSnapshotCells, parseSnapshotRow } from '../../../../../src/sources/snapshot/wire.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';

const ids = { advertiser_id: 'AR00000000000000000001', creative_id: 'CR00000000000000000002' };
const page = `https://adstransparency.google.com/advertiser/${ids.advertiser_id}/creative/${ids.creative_id}`;

const whole = {
  region_code: 'EEA',
  first_shown: '2023-03-01',
  last_shown: '2025-01-01',
  times_shown_start_date: '2023-03-01',
  times_shown_end_date: '2024-12-31',
  times_shown_lower_bound: '2000',
  times_shown_upper_bound: 3000,
  times_shown_availability_date: null,
  surface_serving_stats: {
    surface_serving_stats: [
      { surface: 'SEARCH', times_shown_lower_bound: 1000, times_shown_upper_bound: '2000' },
      { surface_code: 'YOUTUBE', times_shown_availability_date: '2025-02-01' },
      { surface: null },
    ],
  },
};
const parsed = {
  region: 'EEA',
  firstShown: '2023-03-01',
  lastShown: '2025-01-01',
  timesShown: { lower: 2000, upper: 3000, availableOn: null },
  timesShownFrom: '2023-03-01',
  timesShownTo: '2024-12-31',
  surfaces: [
    { surface: 'SEARCH', timesShown: { lower: 1000, upper: 2000, availableOn: null } },
    { surface: 'YOUTUBE', timesShown: { lower: null, upper: null, availableOn: '2025-02-01' } },
  ],
};
const plain = { region_code: 'de', surface_serving_stats: [{ surface: 'maps' }] };

describe('details of a row', () => {
  test('have every column of a region, with numbers as text and both names of surfaces', () => {
    const { details } = parseSnapshotRow({ ...ids, region_stats: [whole] });
    expect(details?.regions).toEqual([parsed]);
  });

  test('have surfaces in a plain list, and codes in capitals', () => {
    const { details } = parseSnapshotRow({ ...ids, region_stats: [plain] });
    expect(details?.regions).toMatchObject([
      { region: 'DE', surfaces: [{ surface: 'MAPS', timesShown: null }] },
    ]);
  });

  test('are the same from cells, with nested columns as JSON', () => {
    const row = {
      ...ids,
      topic: 'Health',
      ad_funded_by: 'Payer',
      is_funded_by_google_ad_grants: true,
      advertiser_legal_name: 'Acme GmbH',
      advertiser_location: 'DE',
      advertiser_verification_status: 'verified',
      audience_selection_approach_info: { geo_location: 'CRITERIA_INCLUDED', customer_lists: null },
      region_stats: [whole, plain],
    };
    const cells = Object.values(row).map((value) =>
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    );
    const fromCells = parseSnapshotCells(Object.keys(row), cells);
    expect(fromCells).toEqual(parseSnapshotRow(row));
    expect(fromCells.details).toMatchObject({
      topic: 'Health',
      payer: 'Payer',
      isGrantFunded: true,
      targeting: { geoLocation: 'CRITERIA_INCLUDED', customerLists: null },
      advertiser: { legalName: 'Acme GmbH', location: 'DE', verification: 'VERIFIED' },
    });
  });

  test('are null if the row has only what is known of the advertiser, or nulls', () => {
    const nulls = { topic: null, region_stats: [], is_funded_by_google_ad_grants: '', ad_funded_by: ' ' };
    const targeting = { audience_selection_approach_info: { geo_location: null } };
    const row = { ...ids, advertiser_legal_name: 'Acme GmbH', advertiser_location: 'DE' };
    expect(parseSnapshotRow({ ...row, ...nulls, ...targeting }).details).toBeNull();
  });

  test('keep the EEA as a region, which does not decide the days of an ad with others', () => {
    const other = { region_code: 'DE', first_shown: '2024-05-05', last_shown: '2024-06-06' };
    expect(parseSnapshotRow({ ...ids, region_stats: [whole, other] })).toMatchObject({
      start: '2024-05-05',
      lastSeen: '2024-06-06',
      details: { regions: [{ region: 'EEA' }, { region: 'DE' }] },
    });
    expect(parseSnapshotRow({ ...ids, region_stats: [whole] })).toMatchObject({
      start: '2023-03-01',
      lastSeen: '2025-01-01',
    });
  });

  test.each([
    [{ topic: 7 }, 'topic'],
    [{ ad_funded_by: {} }, 'ad_funded_by'],
    [{ is_funded_by_google_ad_grants: 'maybe' }, 'is_funded_by_google_ad_grants'],
    [{ advertiser_verification_status: [] }, 'advertiser_verification_status'],
    [{ audience_selection_approach_info: '[]' }, 'audience_selection_approach_info'],
    [
      { audience_selection_approach_info: { geo_location: 1 } },
      'audience_selection_approach_info.geo_location',
    ],
    [{ region_stats: [{ region_code: 1 }] }, 'region_stats[0].region_code'],
    [{ region_stats: [{ times_shown_lower_bound: -1 }] }, 'region_stats[0].times_shown_lower_bound'],
    [{ region_stats: [{ times_shown_upper_bound: '1.5' }] }, 'region_stats[0].times_shown_upper_bound'],
    [{ region_stats: [{ times_shown_start_date: 'x' }] }, 'region_stats[0].times_shown_start_date'],
    [{ region_stats: [{ surface_serving_stats: 7 }] }, 'region_stats[0].surface_serving_stats'],
    [
      { region_stats: [{ surface_serving_stats: [{ surface: 'MAPS', times_shown_lower_bound: 'many' }] }] },
      'region_stats[0].surface_serving_stats[0].times_shown_lower_bound',
    ],
    [{ disapproval: {} }, 'disapproval'],
    [{ disapproval: [{ use_of_automated_means: 1 }] }, 'disapproval[0].use_of_automated_means'],
  ])('are rejected as %j, with the field %s', (columns, field) => {
    expect(() => parseSnapshotRow({ ...ids, ...columns })).toThrow(
      expect.objectContaining({ where: field, constructor: ValidationError }),
    );
  });
});

describe('a removed ad', () => {
  const decision = {
    removal_reason: 'POLICY',
    violation_category: 'Misrepresentation',
    use_of_automated_means: true,
    removal_location: 'GLOBAL',
    decision_type: 'REMOVED',
  };
  const row = {
    creative_page_url: `${page}?region=anywhere`,
    region_stats: [whole],
    disapproval: [decision, {}],
  };
  const removed = {
    advertiserId: ids.advertiser_id,
    creativeId: ids.creative_id,
    details: { regions: [parsed] },
    disapprovals: [
      {
        removalReason: 'POLICY',
        violationCategory: 'Misrepresentation',
        isAutomated: true,
        removalLocation: 'GLOBAL',
        decisionType: 'REMOVED',
      },
      {
        removalReason: null,
        violationCategory: null,
        isAutomated: null,
        removalLocation: null,
        decisionType: null,
      },
    ],
  };

  test('has the ids of its page', () => {
    expect(parseSnapshotRow(row)).toMatchObject(removed);
    const cells = Object.values(row).map((value) =>
      typeof value === 'string' ? value : JSON.stringify(value),
    );
    expect(parseSnapshotCells(Object.keys(row), cells)).toMatchObject(removed);
  });

  test('is a row with the column, also without a decision', () => {
    expect(parseSnapshotRow({ ...ids, disapproval: null }).disapprovals).toEqual([]);
    expect(parseSnapshotRow(ids).disapprovals).toBeNull();
  });

  test.each([undefined, 'https://example.com', `${page}0`])('is rejected with the page %j', (url) => {
    expect(() => parseSnapshotRow({ ...row, creative_page_url: url })).toThrow(
      'creative_page_url: expected the page of an ad',
    );
  });
});
