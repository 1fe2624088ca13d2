import { creditsNumber } from '../../../core/credits/credits.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { shellWord } from '../../process/own-command.ts';
import { amountText } from '../../terminal/credits-text.ts';
import { formatTable } from '../../terminal/format-table.ts';

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
          amountText(line.balanceMicro),
          amountText(line.heldMicro),
          line.keys,
        ]),
        output.tableColumns(),
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
  output.result({ account: name }, () =>
    output.commands(
      `Account ${name} created. Next steps:\n` +
        `  nightshift credits grant 100 --account ${shellWord(name)} --reason "first credits"\n` +
        `  nightshift keys create --account ${shellWord(name)} --name first`,
    ),
  );
  return exitCodes.done;
};
