import type { CommandContext } from './command-context.ts';

/** The option of commands that concern one account. */
export interface AccountOptions {
  readonly account?: string;
}

/** The account that is named, else the one that the command line acts as. @throws NotFound */
export async function chooseAccount(
  { app }: CommandContext,
  { account: name = 'default' }: AccountOptions,
): Promise<{ readonly name: string; readonly accountId: number }> {
  const {
    accounts: { store: accounts, defaultId: accountId },
  } = await app();
  return { name, accountId: name === 'default' ? accountId : await accounts.find(name) };
}
