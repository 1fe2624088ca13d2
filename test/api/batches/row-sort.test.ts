import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortColumns } from '../../../src/core/batches/row-sort.ts';
import { codesOf } from '../../support/api/test-api.ts';
import {
  fixtureBlocks,
  fixtureRows,
  makeAllBlocks,
  openResultFixture,
  type ResultFixture,
} from '../../support/reports/result-fixture.ts';

const sorts = [...sortColumns, 'cells.1', 'cells.2', 'cells.3', 'cells.4', 'cells.999'];
const filters = [
  '',
  'outcome=found',
  'q=renewal',
  'q=renewal hanover',
  'ad_format=carousel',
  'email_status=invalid',
  'q=nowhere-to-be-found',
];

describe('rows of a batch in an order', () => {
  let fixture: ResultFixture;
  let rows: readonly Row[];

  beforeAll(async () => {
    fixture = await openResultFixture();
    rows = await readAll('', 1000);
    expect(rows).toHaveLength(fixtureRows);
  });
  afterAll(() => fixture.close());

  describe.each(['without blocks', 'with blocks'])('%s', (kind) => {
    beforeAll(async () => {
      if (kind === 'with blocks') expect(await makeAllBlocks(fixture)).toBe(fixtureBlocks);
    });

    test.each(sorts.flatMap((sort) => [sort, `-${sort}`]))('are sorted by %s', async (sort) => {
      const sorted = await readAll(`sort=${sort}`, 1000);
      expect(numbersOf(sorted)).toEqual(numbersOf(sortedBy(rows, sort)));
      expect(sorted).toEqual(sortedBy(rows, sort));
    });

    test.each(filters)('match %s, and come once each over pages of 7', async (filter) => {
      const matching = await readAll(filter, 1000);
      for (const sort of ['-ads', 'company', 'cells.3']) {
        const pages = await readAll(`${filter}&sort=${sort}`, 7);
        expect(numbersOf(pages), sort).toEqual(numbersOf(sortedBy(matching, sort)));
      }
    });
  });

  test.each(['rank', '--ads', 'cells', 'cells.0', 'cells.1.2', 'cells.12345', 'ads,company'])(
    'are not sorted by %s',
    async (sort) => {
      const answer = await read(`sort=${encodeURIComponent(sort)}`);
      expect(answer.status).toBe(400);
      expect(codesOf(answer)).toEqual(['validation_error']);
    },
  );

  interface Row {
    readonly row: number;
    readonly cells: readonly string[];
    readonly outcome: string | null;
    readonly ads_count: number | null;
    readonly source: string | null;
    readonly credits_consumed: number;
    readonly company_domain: string | null;
    readonly company_name: string | null;
    readonly email: { readonly normalized_email: string | null; readonly email_status: string | null } | null;
  }

  function read(query: string) {
    return fixture.service.call('GET', `/v1/batches/${fixture.batch}/rows?${query}`, { key: fixture.key });
  }

  async function readAll(query: string, limit: number): Promise<readonly Row[]> {
    const found: Row[] = [];
    let after = '';
    do {
      const answer = await read(`${encodeURI(query)}&limit=${limit}${after}`);
      expect(answer.status).toBe(200);
      const page = answer.json() as { rows: readonly Row[]; next: string | null };
      found.push(...page.rows);
      after = page.next === null ? '' : `&after=${page.next}`;
    } while (after !== '');
    return found;
  }

  function numbersOf(some: readonly Row[]): readonly number[] {
    return some.map(({ row }) => row);
  }

  /** Stable: equal rows keep the order of the file. */
  function sortedBy(some: readonly Row[], text: string): readonly Row[] {
    const direction = text.startsWith('-') ? -1 : 1;
    const value = valueOf(text.replace('-', ''));
    return some.toSorted((a, b) => {
      const [one, other] = [value(a), value(b)];
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return direction * compare(one, other);
    });
  }

  const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' });

  function compare(one: string | number, other: string | number): number {
    return typeof one === 'number' && typeof other === 'number'
      ? one - other
      : natural.compare(String(one), String(other));
  }

  function valueOf(column: string): (row: Row) => string | number | null {
    const values: Readonly<Record<string, (row: Row) => string | number | null>> = {
      row: ({ row }) => row,
      company: ({ company_name: name, company_domain: domain }) => name ?? domain,
      outcome: ({ outcome }) => outcome,
      ads: ({ ads_count: ads }) => ads,
      source: ({ source }) => source,
      credits: ({ credits_consumed: credits }) => credits,
      email: ({ email }) => email?.normalized_email ?? email?.email_status ?? null,
    };
    const cell = Number(column.slice('cells.'.length)) - 1;
    return values[column] ?? (({ cells }) => (cells[cell] ?? '') || null);
  }
});
