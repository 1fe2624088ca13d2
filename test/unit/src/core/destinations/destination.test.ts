import { describe, expect, test } from 'vitest';
import { chooseFormat } from '../../../../../src/core/destinations/destination.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';
import { parseLocation } from '../../../../../src/core/storage/location.ts';

const folder = parseLocation('/lake');
const postgres = parseLocation('postgres://me@db.example.com/crm');

describe('form of a destination', () => {
  test('is partitioned Parquet of rows in a folder, and a table in Postgres', () => {
    expect(chooseFormat(folder, {})).toEqual({
      format: 'parquet',
      shapes: ['rows'],
      options: { raw: false, gzip: false, layout: 'partitioned', table: null, key: null },
    });
    expect(chooseFormat(folder, { format: 'csv', gzip: true, shapes: ['ads', 'rows'] })).toMatchObject({
      shapes: ['rows', 'ads'],
      options: { gzip: true, layout: 'flat' },
    });
    expect(chooseFormat(postgres, { table: 'sales.companies' })).toMatchObject({ format: 'table' });
  });

  test.each([
    [folder, { format: 'table' }, 'needs a postgres'],
    [postgres, { format: 'csv' }, 'takes the format table'],
    [postgres, {}, 'schema.name'],
    [postgres, { table: 'companies' }, 'schema.name'],
    [postgres, { table: `a.${'x'.repeat(64)}` }, 'schema.name'],
    [postgres, { table: 'a.b', shapes: ['rows', 'ads'] }, 'one shape'],
    [postgres, { table: 'a.b', layout: 'flat' }, 'no layout'],
    [postgres, { table: 'a.b', key: ['x', 'x'] }, 'different columns'],
    [folder, { key: ['x'] }, 'belong to postgres'],
    [folder, { gzip: true }, 'not compressed again'],
    [folder, { raw: true }, 'only CSV'],
    [folder, { shapes: [] }, 'at least one'],
    [parseLocation('https://example.com/in'), {}, 'web address'],
  ] as const)('rejects what contradicts itself: %#', (location, wanted, message) => {
    expect(() => chooseFormat(location, wanted)).toThrow(ValidationError);
    expect(() => chooseFormat(location, wanted)).toThrow(message);
  });
});
