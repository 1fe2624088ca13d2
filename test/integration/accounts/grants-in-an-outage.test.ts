import { expect, test } from 'vitest';
import { createAccountService } from '../../../db/stores/accounts/account-service.ts';
import { DatabaseUnavailable } from '../../../src/core/errors.ts';
import { openTestDatabase, openTestPool } from '../../support/db/database.ts';
import { openPostgresProxy, type CommitCut } from '../../support/db/postgres-proxy.ts';

const grant = { amountMicro: 1_000_000n, reason: 'trial' };
const fromHere = { actor: 'cli', address: null };

test.each<CommitCut>(['before', 'after'])(
  'credits are granted once when the connection breaks %s the COMMIT',
  async (cut) => {
    const { proxy, accounts, readGrants } = await openAccounts();
    const { balanceMicro } = await accounts.read('default');
    proxy.cutNextCommit(cut);
    const granted = await accounts.grant('default', grant, fromHere);
    expect(proxy.cuts()).toBe(1);
    expect(granted.balanceMicro - balanceMicro).toBe(grant.amountMicro);
    expect(await readGrants()).toBe(1);
  },
);

test('two grants of the same amount are two', async () => {
  const { accounts, readGrants } = await openAccounts();
  await accounts.grant('default', grant, fromHere);
  await accounts.grant('default', grant, fromHere);
  expect(await readGrants()).toBe(2);
});

test('a grant to a database that stays away may have been made, and the error says how to look', async () => {
  const { proxy, accounts } = await openAccounts();
  proxy.setAway(true);
  const granting = accounts.grant('default', grant, fromHere);
  await expect(granting).rejects.toThrow(DatabaseUnavailable);
  await expect(granting).rejects.toThrow(/may have been granted.*"nightshift credits"/);
});

async function openAccounts() {
  const database = await openTestDatabase();
  const proxy = await openPostgresProxy(database.url);
  const accounts = createAccountService(openTestPool(proxy.url).sql);
  const readGrants = async () => {
    const { rows } = await database.owner.pool.query<{ grants: number }>(
      `SELECT count(*)::integer AS grants FROM nightshift.audit_log WHERE event = 'credits_granted'`,
    );
    return rows[0]?.grants;
  };
  return { proxy, accounts, readGrants };
}
