import { describe, expect, test } from 'vitest';
import { parseSnapshotCells, parseSnapshotRow } from '../../../../../src/sources/snapshot/wire.ts';
import { noDetails } from '../../../../../src/core/ads/ad-details.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';

const ids = { advertiser_id: 'AR00000000000000000001', creative_id: 'CR00000000000000000002' };
const bare = {
  advertiserId: ids.advertiser_id,
  creativeId: ids.creative_id,
  advertiserName: null,
  disclosedName: null,
  legalName: null,
  location: null,
  format: null,
  start: null,
  lastSeen: null,
  details: null,
  disapprovals: null,
};
const unknownRegion = {
  firstShown: null,
  lastShown: null,
  timesShown: null,
  timesShownFrom: null,
  timesShownTo: null,
  surfaces: [],
};

describe('parseSnapshotRow', () => {
  test('parses a complete row', () => {
    const line = `{"advertiser_id":"AR00000000000000000001","creative_id":"CR00000000000000000002",
      "creative_page_url":"https://example.com","ad_format_type":"TEXT","advertiser_disclosed_name":"Procter \\u0026 Gamble",
      "advertiser_legal_name":"P\\u0026G SA","advertiser_location":"CH","advertiser_verification_status":"VERIFIED",
      "topic":"Health","is_funded_by_google_ad_grants":false,"ad_funded_by":"P\\u0026G","region_stats":[
        {"region_code":"EEA","first_shown":"2024-01-02","last_shown":"2024-05-06","times_shown_lower_bound":"1000",
         "times_shown_upper_bound":2000,"surface_serving_stats":{"surface_serving_stats":[{"surface":"SEARCH"}]}},
        {"region_code":"DE","first_shown":"2024-01-03","last_shown":"2024-05-06","times_shown_lower_bound":null},
        {"region_code":"TR","first_shown":"2023-12-31","last_shown":"2024-06-01"}],
      "audience_selection_approach_info":{"demographic_info":"CRITERIA_UNUSED"}}`;
    expect(parseSnapshotRow(JSON.parse(line))).toEqual({
      ...bare,
      advertiserName: 'Procter & Gamble',
      disclosedName: 'Procter & Gamble',
      legalName: 'P&G SA',
      location: 'CH',
      format: 'Text',
      start: '2023-12-31',
      lastSeen: '2024-06-01',
      details: {
        ...noDetails,
        topic: 'Health',
        payer: 'P&G',
        isGrantFunded: false,
        targeting: {
          demographicInfo: 'CRITERIA_UNUSED',
          geoLocation: null,
          contextualSignals: null,
          customerLists: null,
          topicsOfInterest: null,
        },
        regions: [
          {
            ...unknownRegion,
            region: 'EEA',
            firstShown: '2024-01-02',
            lastShown: '2024-05-06',
            timesShown: { lower: 1000, upper: 2000, availableOn: null },
            surfaces: [{ surface: 'SEARCH', timesShown: null }],
          },
          { ...unknownRegion, region: 'DE', firstShown: '2024-01-03', lastShown: '2024-05-06' },
          { ...unknownRegion, region: 'TR', firstShown: '2023-12-31', lastShown: '2024-06-01' },
        ],
        advertiser: { legalName: 'P&G SA', location: 'CH', verification: 'VERIFIED' },
      },
    });
  });

  test('accepts a row with ids only', () => {
    expect(parseSnapshotRow(ids)).toEqual(bare);
  });

  test('treats null columns as missing', () => {
    const nulls = {
      advertiser_legal_name: null,
      ad_format_type: null,
      region_stats: null,
      advertiser_location: null,
    };
    expect(parseSnapshotRow({ ...ids, ...nulls })).toEqual(bare);
  });

  test.each([
    ['TEXT', 'Text'],
    ['IMAGE', 'Image'],
    ['video', 'Video'],
    ['Text', 'Text'],
    ['PLAYABLE_3D', 'PLAYABLE_3D'],
  ])('maps the format %s to %s', (label, format) => {
    expect(parseSnapshotRow({ ...ids, ad_format_type: label }).format).toBe(format);
  });

  test('uses the legal name if the disclosed name is missing or blank', () => {
    const row = parseSnapshotRow({
      ...ids,
      advertiser_disclosed_name: ' ',
      advertiser_legal_name: 'Acme GmbH',
    });
    expect(row).toMatchObject({ advertiserName: 'Acme GmbH', disclosedName: null, legalName: 'Acme GmbH' });
  });

  test('uses the first and the last day of all regions', () => {
    const regions = [
      { first_shown: '2024-02-29 00:00:00 UTC', last_shown: null },
      { first_shown: '2024-03-01', last_shown: '2024-05-01T23:30:00-01:00' },
      { first_shown: null },
      {},
    ];
    const days = { start: '2024-02-29', lastSeen: '2024-05-02' };
    expect(parseSnapshotRow({ ...ids, region_stats: regions })).toMatchObject(days);
    expect(parseSnapshotRow({ ...ids, region_stats: JSON.stringify(regions) })).toMatchObject(days);
  });

  test('accepts flat day columns in JSON', () => {
    const flat = { first_shown: '2024-01-02', last_shown: '2024-03-04 10:00:00' };
    expect(parseSnapshotRow({ ...ids, ...flat })).toMatchObject({
      start: '2024-01-02',
      lastSeen: '2024-03-04',
    });
  });

  test.each([
    [{ first_shown: '2024-02-30' }, 'first_shown'],
    [{ last_shown: '9999-99-99' }, 'last_shown'],
    [{ first_shown: 1704067200 }, 'first_shown'],
    [{ first_shown: '01/02/2024' }, 'first_shown'],
    [{ region_stats: [{}, { last_shown: 'never' }] }, 'region_stats[1].last_shown'],
    [{ region_stats: "[{'first_shown': '2024-01-01'}]" }, 'region_stats'],
    [{ region_stats: '{}' }, 'region_stats'],
  ])('rejects %j instead of an unknown day, with the field %s', (columns, field) => {
    const error = thrownBy(() => parseSnapshotRow({ ...ids, ...columns }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ where: field });
  });

  test('replaces characters that Postgres cannot store with a space', () => {
    expect(parseSnapshotRow({ ...ids, advertiser_disclosed_name: 'A\0b\ud800c' }).advertiserName).toBe(
      'A b c',
    );
  });

  test.each([
    [{ ...ids, advertiser_id: undefined }, 'advertiser_id'],
    [{ ...ids, advertiser_id: '' }, 'advertiser_id'],
    [{ ...ids, advertiser_id: 'AR1' }, 'advertiser_id'],
    [{ ...ids, advertiser_id: 'AR00000000000000000001\n' }, 'advertiser_id'],
    [{ ...ids, advertiser_id: 1 }, 'advertiser_id'],
    [{ ...ids, creative_id: null }, 'creative_id'],
    [{ ...ids, creative_id: 'AR00000000000000000001' }, 'creative_id'],
    [{ ...ids, creative_id: 'CR0000000000000000000२' }, 'creative_id'],
    [{ ...ids, advertiser_disclosed_name: 7 }, 'advertiser_disclosed_name'],
    [{ ...ids, ad_format_type: {} }, 'ad_format_type'],
    [{ ...ids, region_stats: {} }, 'region_stats'],
    [{ ...ids, region_stats: ['EEA'] }, 'region_stats'],
  ])('rejects %j with the field %s', (value, field) => {
    const error = thrownBy(() => parseSnapshotRow(value));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ where: field });
    expect(String(error)).toContain(`${field}: expected`);
  });

  test.each([null, undefined, 'text', 1, [], [ids]])('rejects %j as a row', (value) => {
    expect(() => parseSnapshotRow(value)).toThrow(ValidationError);
  });

  test('truncates a long invalid value in the error', () => {
    const error = thrownBy(() => parseSnapshotRow({ ...ids, advertiser_id: 'x'.repeat(10_000) }));
    expect(String(error).length).toBeLessThan(200);
  });
});

describe('parseSnapshotCells', () => {
  const header = [
    '\ufeffcreative_id',
    'topic',
    ' First_Shown',
    'last_shown',
    'advertiser_id',
    'ad_format_type',
    'advertiser_legal_name',
  ];

  test('accepts columns in any order and ignores others', () => {
    const cells = [
      ids.creative_id,
      'Health',
      '2024-01-01',
      '2024-02-02',
      ids.advertiser_id,
      'IMAGE',
      'Acme GmbH',
    ];
    expect(parseSnapshotCells(header, cells)).toEqual({
      ...bare,
      details: {
        ...noDetails,
        topic: 'Health',
        advertiser: { legalName: 'Acme GmbH', location: null, verification: null },
      },
      advertiserName: 'Acme GmbH',
      legalName: 'Acme GmbH',
      format: 'Image',
      start: '2024-01-01',
      lastSeen: '2024-02-02',
    });
  });

  test('treats blank and missing cells as empty', () => {
    expect(parseSnapshotCells(header, [ids.creative_id, '', '', '', ids.advertiser_id])).toEqual(bare);
  });

  test('accepts region_stats as JSON in a cell, as in the BigQuery console', () => {
    const cells = [
      ...Object.values(ids),
      '[{"region_code":"DE","first_shown":"2024-01-02","last_shown":"2024-03-04"}]',
    ];
    expect(parseSnapshotCells([...Object.keys(ids), 'region_stats'], cells)).toMatchObject({
      start: '2024-01-02',
      lastSeen: '2024-03-04',
    });
  });

  test('rejects a file without an id column, with its name', () => {
    expect(thrownBy(() => parseSnapshotCells(['creative_id'], [ids.creative_id]))).toMatchObject({
      where: 'advertiser_id',
    });
  });

  test('keeps different headers apart', () => {
    const other = ['advertiser_id', 'creative_id'];
    expect(parseSnapshotCells(other, [ids.advertiser_id, ids.creative_id])).toEqual(bare);
    expect(parseSnapshotCells(header, [ids.creative_id, '', '', '', ids.advertiser_id])).toEqual(bare);
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
