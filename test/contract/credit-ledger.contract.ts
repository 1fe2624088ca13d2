import { beforeEach, describe, expect, test } from 'vitest';
import type { CreditLedger, Hold } from '../../src/core/credits/ledger.ts';

/** A ledger with two accounts without credits or holds. */
export interface LedgerStage {
  readonly ledger: CreditLedger;
  readonly accountId: number;
  readonly otherAccountId: number;
}

/** Checks the guarantees of `CreditLedger`; run by every implementation. */
export function creditLedgerContract(openStage: () => Promise<LedgerStage>): void {
  let stage: LedgerStage;

  const grant = (amountMicro: bigint, key: string | null = null) =>
    stage.ledger.grant(stage.accountId, [{ key, amountMicro, reason: 'a test' }]);
  const reserve = (...holds: readonly Hold[]) => stage.ledger.reserve(stage.accountId, holds);
  const resolve = (...ends: readonly Hold[]) => stage.ledger.resolve(stage.accountId, ends);

  async function expectBalance(balanceMicro: bigint, heldMicro: bigint): Promise<void> {
    expect(await stage.ledger.readBalance(stage.accountId)).toEqual({ balanceMicro, heldMicro });
  }

  describe('credit ledger', () => {
    beforeEach(async () => {
      stage = await openStage();
    });

    test('starts empty', () => expectBalance(0n, 0n));

    test('adds a grant with a key once, and returns a mismatch for another amount', async () => {
      expect(await grant(500n, 'opening')).toEqual(['granted']);
      expect(await grant(500n, 'opening')).toEqual(['exists']);
      expect(await grant(501n, 'opening')).toEqual(['mismatch']);
      await expectBalance(500n, 0n);
    });

    test('adds every grant without a key', async () => {
      expect([await grant(500n), await grant(500n)]).toEqual([['granted'], ['granted']]);
      await expectBalance(1000n, 0n);
    });

    test('returns the results of several grants in order', async () => {
      await grant(7n, 'b');
      const grants = [
        { key: 'a', amountMicro: 5n, reason: 'new' },
        { key: 'b', amountMicro: 7n, reason: 'again' },
        { key: null, amountMicro: 11n, reason: 'new' },
        { key: 'b', amountMicro: 8n, reason: 'other' },
      ];
      expect(await stage.ledger.grant(stage.accountId, grants)).toEqual([
        'granted',
        'exists',
        'granted',
        'mismatch',
      ]);
      await expectBalance(23n, 0n);
    });

    test('moves credits of a hold from the balance to the held amount', async () => {
      await grant(500n);
      expect(await reserve(hold(1n, 200n))).toEqual(['reserved']);
      await expectBalance(300n, 200n);
    });

    test('spends funds in input order, and rejects holds beyond them without a trace', async () => {
      await grant(500n);
      const asked = [hold(3n, 200n), hold(1n, 200n), hold(2n, 200n), hold(4n, 50n)];
      expect(await reserve(...asked)).toEqual(['reserved', 'reserved', 'insufficient', 'insufficient']);
      await expectBalance(100n, 400n);
      await grant(150n);
      expect(await reserve(...asked)).toEqual(['exists', 'exists', 'reserved', 'reserved']);
      await expectBalance(0n, 650n);
    });

    test('stores nothing for a free hold, which needs no funds', async () => {
      expect(await reserve(hold(1n, 0n))).toEqual(['free']);
      expect(await resolve(hold(1n, 0n))).toEqual(['no_hold']);
      await expectBalance(0n, 0n);
    });

    test('ignores a repeated hold, returns a mismatch for another amount, and takes another attempt as another hold', async () => {
      await grant(500n);
      await reserve(hold(1n, 200n));
      expect(await reserve(hold(1n, 200n), hold(1n, 100n, 2))).toEqual(['exists', 'reserved']);
      expect(await reserve(hold(1n, 201n))).toEqual(['mismatch']);
      await expectBalance(200n, 300n);
    });

    test('charges the amount of a settlement and releases the rest of the hold', async () => {
      await grant(500n);
      await reserve(hold(1n, 200n), hold(2n, 200n));
      expect(await resolve(hold(1n, 150n), hold(2n, 200n))).toEqual(['settled', 'settled']);
      await expectBalance(150n, 0n);
    });

    test('releases the whole hold', async () => {
      await grant(500n);
      await reserve(hold(1n, 200n));
      expect(await resolve(hold(1n, 0n))).toEqual(['released']);
      await expectBalance(500n, 0n);
    });

    test('ignores a repeated settlement, and returns a mismatch for a different one', async () => {
      await grant(500n);
      await reserve(hold(1n, 200n), hold(2n, 200n));
      await resolve(hold(1n, 200n), hold(2n, 0n));
      expect(await resolve(hold(1n, 200n), hold(2n, 0n))).toEqual(['exists', 'exists']);
      expect(await resolve(hold(1n, 0n), hold(2n, 200n))).toEqual(['mismatch', 'mismatch']);
      await expectBalance(300n, 0n);
    });

    test('rejects a settlement without a hold or above it, and keeps the hold', async () => {
      await grant(500n);
      await reserve(hold(1n, 200n));
      expect(await resolve(hold(2n, 100n), hold(1n, 201n), hold(1n, 200n, 2))).toEqual([
        'no_hold',
        'exceeds',
        'no_hold',
      ]);
      await expectBalance(300n, 200n);
      expect(await resolve(hold(1n, 200n))).toEqual(['settled']);
    });

    test('does not hold again for a settled attempt', async () => {
      await grant(500n);
      await reserve(hold(1n, 200n));
      await resolve(hold(1n, 0n));
      expect(await reserve(hold(1n, 200n))).toEqual(['exists']);
      await expectBalance(500n, 0n);
    });

    test('returns nothing for no items', async () => {
      expect([await reserve(), await resolve(), await stage.ledger.grant(stage.accountId, [])]).toEqual([
        [],
        [],
        [],
      ]);
    });

    test('separates holds and grants of accounts', async () => {
      const { ledger, otherAccountId } = stage;
      await grant(500n, 'opening');
      await reserve(hold(1n, 200n));
      expect(await ledger.readBalance(otherAccountId)).toEqual({ balanceMicro: 0n, heldMicro: 0n });
      expect(await ledger.resolve(otherAccountId, [hold(1n, 200n)])).toEqual(['no_hold']);
      expect(await ledger.reserve(otherAccountId, [hold(1n, 200n)])).toEqual(['insufficient']);
      expect(
        await ledger.grant(otherAccountId, [{ key: 'opening', amountMicro: 9n, reason: 'own' }]),
      ).toEqual(['granted']);
      await expectBalance(300n, 200n);
    });
  });
}

/** A hold or its end, of the first attempt by default. */
export function hold(lookupId: bigint, amountMicro: bigint, attempt = 1): Hold {
  return { lookupId, attempt, amountMicro };
}
