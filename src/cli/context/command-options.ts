import type { Command } from 'commander';
import { sourceIds } from '../../sources/registry.ts';
import type { Command as Handler, CommandContext } from './command-context.ts';

/** Runs a command in its context; `isJson` is its `--json`. */
export type RunCommand = (
  isJson: boolean,
  run: (context: CommandContext) => Promise<number>,
) => Promise<void>;

/**
 * The action of a command: loads its code and runs it. Commander hands over the arguments, then the options, then the command;
 * options of a subcommand, such as `--json` and `--account`, may have been taken by the command above it, which knows them too.
 */
export function runs<Arguments extends readonly unknown[], Options>(
  run: RunCommand,
  load: () => Promise<Handler<Arguments, Options>>,
) {
  return (...parameters: [...Arguments, Options, Command]): Promise<void> => {
    const command = parameters.at(-1) as Command;
    const options = command.optsWithGlobals<{ json?: boolean }>();
    const args = parameters.slice(0, -2) as unknown as Arguments;
    return run(options.json === true, async (context) =>
      (await load())(context, options as Options, ...args),
    );
  };
}

/** Every command has it. */
export function jsonOption(command: Command): Command {
  return command.option('--json', 'print one JSON document');
}

/** Adds the option of commands that concern one account. */
export function accountOption(command: Command): Command {
  return command.option('--account <name>', 'whose (default: default)');
}

/** Adds the reading options of a CSV. */
export function readingOptions(command: Command, mapWhat: string): Command {
  return jsonOption(command)
    .option('--map <field=column...>', mapWhat)
    .option('--encoding <name>', 'such as windows-1252 (default: found out)')
    .option('--delimiter <character>', 'a character, or tab (default: found out)')
    .option('--no-header', 'the first line is data')
    .option('--columns <names>', 'names of the columns, separated by commas');
}

/** Adds the options of an ads search. */
export function searchOptions(command: Command): Command {
  return command
    .option('--source <names>', `where ads come from, in order: ${sourceIds.join(', ')}`)
    .option('--region <code>', 'only ads shown in this country, such as DE (sources that know regions)')
    .option('--max-ads <number>', 'at most so many ads of a company')
    .option('--own-only', 'leave out ads of agencies, resellers and other third parties')
    .option('--max-age <time>', 'answer from the store, free, what was searched within 30m, 12h, 7d …');
}
