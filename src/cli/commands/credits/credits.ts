import { creditsNumber, parseCredits } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { amountText, creditsText } from '../../terminal/credits-text.ts';

const fromHere = { actor: 'cli', address: null };

/** Shows the balance of an account. */
export const credits: Command<[], AccountOptions> = async (context, options) => {
  const {
    credits: { ledger },
  } = await context.app();
  const { name, accountId } = await chooseAccount(context, options);
  const { balanceMicro, heldMicro } = await ledger.readBalance(accountId);
  context.output.result(
    { account: name, balance: creditsNumber(balanceMicro), held: creditsNumber(heldMicro) },
    () =>
      `Account ${name}: ${creditsText(balanceMicro)} available, ${amountText(heldMicro)} reserved for open lookups.`,
  );
  return exitCodes.done;
};

/** Adds a grant to the ledger, once for each command; a grant cannot be removed. */
export const grantCredits: Command<[string], AccountOptions & { readonly reason: string }> = async (
  context,
  { reason, ...options },
  amount,
) => {
  const amountMicro = parseCredits(amount);
  if (amountMicro <= 0n) throw new ValidationError('The amount of a grant must be above 0.');
  if (reason.trim() === '') throw new ValidationError('A grant needs a reason: --reason "trial for sales".');
  const {
    accounts: { service: accountService },
  } = await context.app();
  const { name } = await chooseAccount(context, options);
  await accountService.grant(name, { amountMicro, reason }, fromHere);
  return credits(context, options);
};

/** Shows the threshold for low credits, or sets it. 0 sends no event. */
export const lowCredits: Command<[string | undefined], AccountOptions> = async (context, options, amount) => {
  const thresholdMicro = amount === undefined ? null : parseCredits(amount);
  if (thresholdMicro !== null && thresholdMicro < 0n)
    throw new ValidationError('The threshold must be 0 or more; 0 sends no event.');
  const {
    accounts: { store: accounts },
  } = await context.app();
  const { name, accountId } = await chooseAccount(context, options);
  if (thresholdMicro !== null) await accounts.setLow(accountId, thresholdMicro);
  const lowMicro = await accounts.readLow(accountId);
  context.output.result({ account: name, low: creditsNumber(lowMicro) }, () =>
    lowMicro === 0n
      ? `Account ${name} receives no event when its credits run low.`
      : `Account ${name} receives an event when fewer than ${creditsText(lowMicro)} are left.`,
  );
  return exitCodes.done;
};
