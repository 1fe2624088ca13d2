import { creditsNumber, formatCredits, parseCredits } from '../../core/credits/credits.ts';
import { ValidationError } from '../../core/errors.ts';
import { chooseAccount, type AccountOptions } from '../choose-account.ts';
import type { Command } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';

/** The balance of an account. */
export const credits: Command<[], AccountOptions> = async (context, options) => {
  const { ledger } = await context.app();
  const { name, accountId } = await chooseAccount(context, options);
  const { balanceMicro, heldMicro } = await ledger.readBalance(accountId);
  context.output.result(
    { account: name, balance: creditsNumber(balanceMicro), held: creditsNumber(heldMicro) },
    () =>
      `Account ${name}: ${formatCredits(balanceMicro)} credits to spend, ${formatCredits(heldMicro)} held for open lookups.`,
  );
  return exitCodes.done;
};

/** Adds a grant to the ledger. Every call adds; nothing that was granted can be taken back silently. */
export const grantCredits: Command<[string], AccountOptions & { readonly reason: string }> = async (
  context,
  { reason, ...options },
  amount,
) => {
  const amountMicro = parseCredits(amount);
  if (amountMicro <= 0n) throw new ValidationError('A grant needs an amount above 0.');
  if (reason.trim() === '') throw new ValidationError('A grant needs a reason: --reason "trial for sales".');
  const { ledger } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  await ledger.grant(accountId, [{ key: null, amountMicro, reason }]);
  return credits(context, options);
};
