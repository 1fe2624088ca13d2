import { creditsNumber, formatCredits } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

const nameCharsMax = 200;

/** Lists the accounts, oldest first. */
export const accounts: Command<[], object> = async ({ app, output }) => {
  const lines = await (await app()).accounts.store.list();
  output.result(
    lines.map(({ name, balanceMicro, heldMicro, keys, createdAt }) => ({
      account: name,
      balance: creditsNumber(balanceMicro),
      held: creditsNumber(heldMicro),
      keys,
      created: createdAt,
    })),
    () =>
      formatTable(
        ['account', 'credits', 'held', 'keys'],
        lines.map((line) => [
          line.name,
          formatCredits(line.balanceMicro),
          formatCredits(line.heldMicro),
          String(line.keys),
        ]),
      ),
  );
  return exitCodes.done;
};

/** Creates an account, without credits. */
export const addAccount: Command<[string], object> = async ({ app, output }, _options, name) => {
  if (name.trim() !== name || name === '' || name.length > nameCharsMax) {
    throw new ValidationError(
      `Invalid account name "${name}": must have 1 to ${nameCharsMax} characters, without blanks around it.`,
    );
  }
  await (await app()).accounts.service.create(name, { actor: 'cli', address: null });
  output.result(
    { account: name },
    () =>
      `Account ${name} created. Next steps:\n` +
      `  nightshift credits grant 100 --account "${name}" --reason "first credits"\n` +
      `  nightshift keys create --account "${name}"`,
  );
  return exitCodes.done;
};
