import fc from 'fast-check';
import type { Grant, Hold } from '../../../src/core/credits/ledger.ts';
import type { LedgerCall } from './plain-ledger.ts';

const grants: fc.Arbitrary<Grant> = fc.record({
  key: fc.constantFrom(null, 'a', 'b', 'c'),
  amountMicro: fc.oneof(fc.constantFrom(100n, 500n), fc.bigInt(1n, 900n)),
  reason: fc.constant('a test'),
});

/** Mostly neighbours; some with gaps, at the ends of what a block can span, and far away. */
const lookupIds = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt(1n, 6n) },
  { weight: 2, arbitrary: fc.constantFrom(8n, 10n, 13n, 1024n, 1025n, 1026n, 1029n, 2048n, 9000n) },
);

const holds: fc.Arbitrary<Hold> = fc.record({
  lookupId: lookupIds,
  attempt: fc.integer({ min: 1, max: 3 }),
  amountMicro: fc.oneof(fc.constantFrom(0n, 100n, 200n), fc.bigInt(0n, 400n)),
});

const grantCalls = fc
  .uniqueArray(grants, { selector: ({ key }) => key, comparator: isSameKey, maxLength: 3 })
  .map((items): LedgerCall => ({ kind: 'grant', items }));

const holdCalls = fc
  .tuple(fc.constantFrom('reserve', 'resolve'), fc.uniqueArray(holds, { selector: keyOf, maxLength: 6 }))
  .map(([kind, items]): LedgerCall => ({ kind, items }));

/** Calls for several lookups with one attempt and amount, which become blocks that overlap those of other calls. */
const evenCalls = fc
  .record({
    kind: fc.constantFrom('reserve', 'resolve'),
    ids: fc.uniqueArray(lookupIds, { minLength: 2, maxLength: 12 }),
    attempt: fc.integer({ min: 1, max: 2 }),
    amountMicro: fc.constantFrom(0n, 10n, 20n),
    isSorted: fc.boolean(),
  })
  .map(({ kind, ids, attempt, amountMicro, isSorted }): LedgerCall => {
    const sorted = isSorted ? ids.toSorted((a, b) => Number(a - b)) : ids;
    return { kind, items: sorted.map((lookupId) => ({ lookupId, attempt, amountMicro })) };
  });

/** Any call of a ledger that does not repeat a key: the ledger rejects a call with a repeated key. */
export const ledgerCalls: fc.Arbitrary<LedgerCall> = fc.oneof(
  { weight: 1, arbitrary: grantCalls },
  { weight: 3, arbitrary: holdCalls },
  { weight: 2, arbitrary: evenCalls },
);

/** Text of a call for a failing test: `reserve(3-1:200)` holds 200 for the first attempt at lookup 3. */
export function describeCall({ kind, items }: LedgerCall): string {
  const texts = items.map((item) => `${'key' in item ? item.key : keyOf(item)}:${item.amountMicro}`);
  return `${kind}(${texts.join(' ')})`;
}

/** Grants without a key are always different. */
function isSameKey(one: string | null, other: string | null): boolean {
  return one !== null && one === other;
}

function keyOf({ lookupId, attempt }: Hold): string {
  return `${lookupId}-${attempt}`;
}
