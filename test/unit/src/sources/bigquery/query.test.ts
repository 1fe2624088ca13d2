import { describe, expect, test } from 'vitest';
import {
  askForCreatives,
  creativeStatsTable,
  readColumns,
  type CreativesWanted,
} from '../../../../../src/sources/bigquery/query.ts';
import { Misconfigured, ValidationError } from '../../../../../src/core/errors.ts';

const wanted: CreativesWanted = {
  advertiserIds: ['AR00000000000000000002', 'AR00000000000000000001', 'AR00000000000000000002'],
  names: [' Müller GmbH ', 'müller gmbh', "O'Neill'); DROP TABLE x; --", ' '],
  regions: null,
  adsPerAdvertiserMax: 500,
};

describe('the query', () => {
  test('takes every value as a parameter, each once, in one order, names as they are compared', () => {
    const { query, parameters } = askForCreatives(wanted);
    expect(parameters).toEqual({
      ids: ['AR00000000000000000001', 'AR00000000000000000002'],
      names: ['müller gmbh', "o'neill'); drop table x; --"],
      regions: [],
      max_ads: 500,
    });
    expect(query).not.toMatch(/AR0|neill|500/i);
  });

  test('is one text whoever is asked for, so that its plan and its cost are one', () => {
    const other = { advertiserIds: [], names: [], regions: ['FR', 'DE'], adsPerAdvertiserMax: 1 };
    expect(askForCreatives(other).query).toBe(askForCreatives(wanted).query);
    expect(askForCreatives(other).parameters).toMatchObject({ regions: ['DE', 'FR'] });
  });

  test('names its parameters, and no other', () => {
    const { query, parameters } = askForCreatives(wanted);
    const named = new Set([...query.matchAll(/@(\w+)/g)].map(([, name]) => name));
    expect([...named].sort()).toEqual(Object.keys(parameters).sort());
  });

  test('reads the columns that are billed for, and no other of the table', () => {
    const { query } = askForCreatives(wanted);
    for (const { path } of readColumns) expect(query).toMatch(new RegExp(`\\b${path.split('.').at(-1)}\\b`));
    expect(query).not.toMatch(/creative_page_url|topic|times_shown|surface|audience|SELECT \*\s+FROM `/);
    expect(query).toContain(`FROM \`${creativeStatsTable}\``);
  });

  test('reads another table where one is named', () => {
    const { query } = askForCreatives(wanted, 'acme-ads.copies.creative_stats');
    expect(query).toContain('FROM `acme-ads.copies.creative_stats`');
    expect(query).not.toContain('bigquery-public-data');
  });

  test.each(['creative_stats', 'a.b', 'a.b.c.d', 'a.b.c` UNION ALL SELECT 1; --', ''])(
    'does not take %j for a table',
    (table) => {
      expect(() => askForCreatives(wanted, table)).toThrow(Misconfigured);
    },
  );

  test.each(['EEA', 'fr', 'France', '', 'US', 'GB', 'CH'])(
    'does not take %j for a country of the table',
    (region) => {
      const ask = () => askForCreatives({ ...wanted, regions: ['FR', region] });
      expect(ask).toThrow(ValidationError);
      expect(ask).toThrow('only those shown in the EEA and Türkiye');
    },
  );
});
