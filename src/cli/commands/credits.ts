import { creditsNumber, formatCredits, parseCredits } from '../../core/credits/credits.ts';
import { ValidationError } from '../../core/errors.ts';
import type { Command } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';

/** The balance of the account. */
export const credits: Command<[], object> = async ({ app, output }) => {
  const { ledger, accountId } = await app();
  const { balanceMicro, heldMicro } = await ledger.readBalance(accountId);
  output.result(
    { account: 'default', balance: creditsNumber(balanceMicro), held: creditsNumber(heldMicro) },
    () =>
      `Account default: ${formatCredits(balanceMicro)} credits to spend, ${formatCredits(heldMicro)} held for open lookups.`,
  );
  return exitCodes.done;
};

/** Adds a grant to the ledger. Every call adds; nothing that was granted can be taken back silently. */
export const grantCredits: Command<[string], { readonly reason: string }> = async (
  context,
  { reason },
  amount,
) => {
  const amountMicro = parseCredits(amount);
  if (amountMicro <= 0n) throw new ValidationError('A grant needs an amount above 0.');
  if (reason.trim() === '') throw new ValidationError('A grant needs a reason: --reason "trial for sales".');
  const { ledger, accountId } = await context.app();
  await ledger.grant(accountId, [{ key: null, amountMicro, reason }]);
  return credits(context, {});
};
