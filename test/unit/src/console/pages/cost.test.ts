import { describe, expect, test } from 'vitest';
import type { components } from '../../../../../examples/typescript-client/schema.ts';
import {
  costMessages,
  budgetMessage,
} from '../../../../../src/console/pages/new-batch/cost/cost-messages.ts';
import { costOf, parseBudget } from '../../../../../src/console/pages/new-batch/cost/cost.ts';

type Check = components['schemas']['Check'];
type Operation = Check['operations'][number];

/** Check of a batch with this many companies and this hit rate. `brings`: operations of its first rows. */
function checkOf({
  companies,
  rate,
  balance,
  brings = [],
}: {
  readonly companies: number;
  readonly rate: number | null;
  readonly balance: number;
  readonly brings?: readonly (readonly Operation[])[];
}): Check {
  const row = { cells: [], company_domain: null, company_name: null, email: null, reason: null };
  const hit = { operation: 'ads_search' as const, price: 0.2, lookups: companies, rate, answered: 412 };
  return {
    format: 'csv',
    sheet: null,
    sheets: [],
    containers: [],
    encoding: 'utf-8',
    delimiter: ',',
    quote: '"',
    escape: '"',
    lines_above: 0,
    findings: [],
    columns: [],
    fields: {},
    rows: { total: companies, rejected: 0, with_warnings: 0, duplicates: 0 },
    operations: ['ads_search'],
    companies,
    addresses: 0,
    rejected: [],
    warnings: [],
    credits: {
      floor: 0,
      ceiling: companies / 5,
      expected: null,
      at_most: companies / 5,
      balance,
      hit_rates: [hit],
    },
    preview: brings.map((each, i) => ({
      ...row,
      row: i + 1,
      line: i + 2,
      becomes: 'taken',
      warning: null,
      same_as_line: null,
      brings: [...each],
      credits: each.length / 5,
    })),
    rejected_by_reason: [],
    repeated: [],
    choices: [],
    unused: [],
    headerless: false,
    remembered: null,
    earlier: null,
    sources: ['sample'],
  };
}

describe('cost of a batch', () => {
  test('ranges from zero to the ceiling, with an estimate in between', () => {
    const cost = costOf(checkOf({ companies: 100, rate: 0.6, balance: 50 }), false, null);
    expect(cost).toEqual({
      lookups: 100,
      ceiling: 20,
      expected: 12,
      atMost: 20,
      stoppedBy: null,
      isStopLikely: false,
    });
  });

  test('of a trial covers the lookups of the first ten rows', () => {
    const brings = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? (['ads_search'] as const) : []));
    const check = checkOf({ companies: 100, rate: 0.6, balance: 50, brings });
    expect(costOf(check, true, null)).toMatchObject({ lookups: 5, ceiling: 1, expected: 0.6, atMost: 1 });
  });

  test.each([
    [0.6, 10, null, 'balance', true],
    [0.6, 15, null, 'balance', false],
    [0.6, 50, 15, 'budget', false],
    [0.6, 50, 5, 'budget', true],
    [0.6, 5, 15, 'balance', true],
    [null, 15, null, 'balance', null],
    [null, 50, null, null, false],
  ])(
    'hit rate %j, %j credits and budget %j: stopped by %j, likely %j',
    (rate, balance, budget, stop, likely) => {
      const cost = costOf(checkOf({ companies: 100, rate, balance }), false, budget);
      expect([cost.stoppedBy, cost.isStopLikely]).toEqual([stop, likely]);
      expect(cost.atMost).toBe(Math.min(20, budget ?? 20));
    },
  );

  test('messages explain prices, estimate, hit rate and the consequence of a limit', () => {
    const check = checkOf({ companies: 100, rate: 0.6, balance: 50 });
    const cost = costOf(check, false, 5);
    expect(costMessages(cost, check)).toEqual([
      'You pay 0.2 credits per company with ads. Everything else is free.',
      'Estimate: about 12 credits, based on your earlier batches.',
      '60 % of your last 412 companies had ads.',
    ]);
    expect(budgetMessage(cost, 50, 5)).toEqual({
      kind: 'warning',
      message:
        'The budget of 5 credits will probably not cover all 100 lookups. The batch then waits for a larger budget.',
    });
    expect(budgetMessage(costOf(check, false, null), 50, null)).toEqual({
      kind: 'good',
      message: 'Your balance covers all 100 lookups.',
    });
    const unknown = checkOf({ companies: 100, rate: null, balance: 1 });
    expect(costMessages(costOf(unknown, false, null), unknown).at(-1)).toContain('No estimate yet');
    expect(budgetMessage(costOf(unknown, false, null), 1, null).message).toContain('may not cover');
  });
});

test.each([
  ['', null],
  [' 2.5 ', 2.5],
  ['0', undefined],
  ['-1', undefined],
  ['1,5', undefined],
  ['2.1234567', undefined],
  ['many', undefined],
])('budget %j is parsed as %j', (text, amount) => {
  expect(parseBudget(text)).toBe(amount);
});
