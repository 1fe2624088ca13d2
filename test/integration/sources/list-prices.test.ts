import { expect, test } from 'vitest';
import { addListPrices } from '../../../db/stores/sources/list-prices.ts';
import { createSourcePrices } from '../../../db/stores/sources/source-prices.ts';
import { openTestDatabase } from '../../support/db/database.ts';

const listed = {
  source: 'acme',
  amount: '0.002',
  currency: 'USD',
  unit: 'call',
  note: null,
  effectiveFrom: new Date('2026-01-01T00:00:00Z'),
};

test('a source without a price gets its list price once, also when processes start concurrently', async () => {
  const db = (await openTestDatabase()).app.sql;
  await Promise.all(Array.from({ length: 4 }, () => addListPrices(db, [listed])));
  await addListPrices(db, [{ ...listed, effectiveFrom: new Date('2026-06-01T00:00:00Z') }]);
  expect(await createSourcePrices(db).list()).toEqual([listed]);
});

test('a source keeps the price that the operator set', async () => {
  const db = (await openTestDatabase()).app.sql;
  const prices = createSourcePrices(db);
  const own = await prices.set({
    source: 'acme',
    amount: '7',
    currency: 'EUR',
    unit: 'ad',
    note: 'our plan',
  });
  await addListPrices(db, [listed, { ...listed, source: 'zeta' }]);
  expect(await prices.list()).toEqual([own, { ...listed, source: 'zeta' }]);
});
