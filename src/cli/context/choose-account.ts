import type { CommandContext } from './command-context.ts';

/** Option of commands for one account. */
export interface AccountOptions {
  readonly account?: string;
}

/** Returns the named account, else the account `default`. @throws NotFound */
export async function chooseAccount(
  { app }: CommandContext,
  { account: name = 'default' }: AccountOptions,
): Promise<{ readonly name: string; readonly accountId: number }> {
  const {
    accounts: { store: accounts, defaultId: accountId },
  } = await app();
  return { name, accountId: name === 'default' ? accountId : await accounts.find(name) };
}
