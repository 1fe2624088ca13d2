import { creditsNumber, formatCredits, parseCredits } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

const fromHere = { actor: 'cli', address: null };

/** The balance of an account. */
export const credits: Command<[], AccountOptions> = async (context, options) => {
  const {
    credits: { ledger },
  } = await context.app();
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
  const {
    accounts: { service: accountService },
  } = await context.app();
  const { name } = await chooseAccount(context, options);
  await accountService.grant(name, { amountMicro, reason }, fromHere);
  return credits(context, options);
};

/** Below how many credits the account is told that it runs low; with an amount it is set, to 0: never. */
export const lowCredits: Command<[string | undefined], AccountOptions> = async (context, options, amount) => {
  const wanted = amount === undefined ? null : parseCredits(amount);
  if (wanted !== null && wanted < 0n)
    throw new ValidationError('Write an amount of 0 or more; 0 means never.');
  const {
    accounts: { store: accounts },
  } = await context.app();
  const { name, accountId } = await chooseAccount(context, options);
  if (wanted !== null) await accounts.setLow(accountId, wanted);
  const lowMicro = await accounts.readLow(accountId);
  context.output.result({ account: name, low: creditsNumber(lowMicro) }, () =>
    lowMicro === 0n
      ? `Account ${name} is not told when its credits run low.`
      : `Account ${name} is told when less than ${formatCredits(lowMicro)} credits are left.`,
  );
  return exitCodes.done;
};
