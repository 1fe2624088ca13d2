import { describe, expect, test } from 'vitest';
import {
  askForCreatives,
  creativeStatsTable,
  readColumns,
  type CreativesWanted,
} from '../../../../../src/sources/bigquery/query.ts';
import { Misconfigured, ValidationError } from '../../../../../src/core/errors.ts';

const request: CreativesWanted = {
  advertiserIds: ['AR00000000000000000002', 'AR00000000000000000001', 'AR00000000000000000002'],
  nameKeys: ['oneill', 'muller', "o'neill'); DROP TABLE x; --", 'muller'],
  regions: null,
  adsPerAdvertiserMax: 500,
  advertisersPerKeyMax: 77,
};

describe('the query', () => {
  test('passes all values as parameters: distinct and sorted', () => {
    const { query, parameters } = askForCreatives(request);
    expect(parameters).toEqual({
      ids: ['AR00000000000000000001', 'AR00000000000000000002'],
      name_keys: ['muller', "o'neill'); DROP TABLE x; --", 'oneill'],
      regions: [],
      max_ads: 500,
      max_advertisers: 77,
    });
    expect(query).not.toMatch(/AR0|neill|500|77/i);
  });

  test('has the same text for all values, so that its plan is reused', () => {
    const other = {
      ...request,
      advertiserIds: [],
      nameKeys: [],
      regions: ['FR', 'DE'],
      adsPerAdvertiserMax: 1,
    };
    expect(askForCreatives(other).query).toBe(askForCreatives(request).query);
    expect(askForCreatives(other).parameters).toMatchObject({ regions: ['DE', 'FR'] });
  });

  test('uses exactly its parameters', () => {
    const { query, parameters } = askForCreatives(request);
    const named = new Set([...query.matchAll(/@(\w+)/g)].map(([, name]) => name));
    expect([...named].sort()).toEqual(Object.keys(parameters).sort());
  });

  test('reads only the columns of the cost estimate', () => {
    const { query } = askForCreatives(request);
    for (const { path } of readColumns) expect(query).toMatch(new RegExp(`\\b${path.split('.').at(-1)}\\b`));
    expect(query).not.toMatch(/creative_page_url|topic|times_shown|surface|audience|SELECT \*\s+FROM `/);
    expect(query).toContain(`FROM \`${creativeStatsTable}\``);
  });

  test('names the table once, because each reference is read and billed', () => {
    expect(askForCreatives(request).query.split(creativeStatsTable)).toHaveLength(2);
    // Backticks enclose the table only.
    expect(askForCreatives(request).query.split('`')).toHaveLength(3);
  });

  test('reads another table if one is configured', () => {
    const { query } = askForCreatives(request, 'acme-ads.copies.creative_stats');
    expect(query).toContain('FROM `acme-ads.copies.creative_stats`');
    expect(query).not.toContain('bigquery-public-data');
  });

  test.each(['creative_stats', 'a.b', 'a.b.c.d', 'a.b.c` UNION ALL SELECT 1; --', ''])(
    'rejects %j as a table',
    (table) => {
      expect(() => askForCreatives(request, table)).toThrow(Misconfigured);
    },
  );

  test.each(['EEA', 'fr', 'France', '', 'US', 'GB', 'CH'])(
    'rejects %j as a country of the table',
    (region) => {
      const ask = () => askForCreatives({ ...request, regions: ['FR', region] });
      expect(ask).toThrow(ValidationError);
      expect(ask).toThrow('only those shown in the EEA and Türkiye');
    },
  );
});
