import type { Command } from 'commander';
import { surfaces } from '../../core/ads/surfaces.ts';
import { sourceIds } from '../../sources/registry.ts';
import type { AccountOptions } from './choose-account.ts';
import type { Command as Handler, CommandContext } from './command-context.ts';

/** Parameters of one run of a command. */
export interface RunOptions {
  /** Value of `--json`. */
  readonly isJson: boolean;
  /** True if the command creates a private server where there is none yet. */
  readonly mayCreate: boolean;
}

/** Runs a command in its context. */
export type RunCommand = (
  options: RunOptions,
  run: (context: CommandContext) => Promise<number>,
) => Promise<void>;

/**
 * Creates the action of a command that needs existing data: without a database it fails, and names the commands that create one.
 * Loads the code of the command and runs it. Commander passes the arguments, then the options, then the command.
 * The parent command may have parsed options of a subcommand, such as `--json` and `--account`, because it has them too.
 */
export function runs<Arguments extends readonly unknown[], Options>(
  run: RunCommand,
  load: () => Promise<Handler<Arguments, Options>>,
) {
  return actionOf(run, load, false);
}

/** Creates the action of a command that also works without a database: it creates one, the private server of the home folder. */
export function creates<Arguments extends readonly unknown[], Options>(
  run: RunCommand,
  load: () => Promise<Handler<Arguments, Options>>,
) {
  return actionOf(run, load, true);
}

function actionOf<Arguments extends readonly unknown[], Options>(
  run: RunCommand,
  load: () => Promise<Handler<Arguments, Options>>,
  mayCreate: boolean,
) {
  return (...parameters: [...Arguments, Options, Command]): Promise<void> => {
    const command = parameters.at(-1) as Command;
    const options = command.optsWithGlobals<{ json?: boolean }>();
    rejectAccount(command);
    const args = parameters.slice(0, -2) as unknown as Arguments;
    return run({ isJson: options.json === true, mayCreate }, async (context) =>
      (await load())(context, options as Options, ...args),
    );
  };
}

/**
 * Rejects `--account` before the name of a command that is not for one account: it would have no effect.
 *
 * @throws CommanderError, with exit code 2.
 */
function rejectAccount(command: Command): void {
  const isSet = command.optsWithGlobals<AccountOptions>().account !== undefined;
  if (isSet && command.options.every(({ long }) => long !== '--account'))
    command.error('error: --account has no effect here: the command is not for one account.');
}

/** Adds `--json`, the option of every command. */
export function jsonOption(command: Command): Command {
  return command.option('--json', 'print the result as one JSON document');
}

/** Adds `--account`, the option of commands for one account. It may also precede the name of the command. */
export function accountOption(command: Command): Command {
  return command.option('--account <name>', 'account name (default: default)');
}

/** Adds the reading options of a file of rows; `mapText` describes `--map`. */
export function readingOptions(command: Command, mapText: string): Command {
  return jsonOption(command)
    .option('--map <field=column...>', mapText)
    .option('--encoding <name>', 'character encoding, such as windows-1252 (default: detected)')
    .option('--delimiter <text>', 'column delimiter: a character, several, or tab (default: detected)')
    .option('--quote <character>', 'character that encloses cells (default: detected)')
    .option('--escape <character>', 'character before a quote in a quoted cell (default: detected)')
    .option('--sheet <name>', 'sheet of a workbook (default: the first visible one with content)')
    .option(
      '--skip-lines <number>',
      'number of lines or rows above the header to leave out (default: detected)',
    )
    .option('--strict', 'reject a file that is not well-formed, with its first mistakes')
    .option('--no-header', 'treat the first line as data')
    .option('--columns <names>', 'column names in order, separated by commas');
}

/** Adds the options of an ads search. */
export function searchOptions(command: Command): Command {
  return command
    .option('--source <names>', `ad sources in order of preference: ${sourceIds.join(', ')}`)
    .option('--region <code>', 'country in which ads are shown, such as DE; not for all sources')
    .option('--surface <name>', `surface on which ads are shown: ${surfaces.join(', ')}; not for all sources`)
    .option('--max-ads <number>', 'maximum number of ads per company')
    .option('--own-only', 'exclude ads of agencies, resellers and other third parties')
    .option('--max-age <time>', 'reuse stored answers up to this age, free of charge: 30m, 12h, 7d …');
}
