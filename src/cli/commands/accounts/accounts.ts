import { creditsNumber, formatCredits } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

const nameCharsMax = 200;

/** The accounts, oldest first. */
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

/** Makes an account. It has nothing to spend until credits are granted to it. */
export const addAccount: Command<[string], object> = async ({ app, output }, _options, name) => {
  if (name.trim() !== name || name === '' || name.length > nameCharsMax) {
    throw new ValidationError(
      `The name of an account has 1 to ${nameCharsMax} characters, and no blanks around it.`,
    );
  }
  await (await app()).accounts.service.create(name, { actor: 'cli', address: null });
  output.result(
    { account: name },
    () =>
      `Account ${name} is there. Next: nightshift credits grant 100 --account "${name}" --reason "first credits"; ` +
      `nightshift keys create --account "${name}"`,
  );
  return exitCodes.done;
};
