import { Option, type Command } from 'commander';
import { jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `sql`. */
export function addSqlCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('SQL:');
  jsonOption(program.command('sql').argument('[query]'))
    .summary('Run a read-only query on the results')
    .description('Run a read-only query on the views of the schema reports')
    .addOption(new Option('--format <format>', 'output format').choices(['table', 'csv', 'json']))
    .option('--views', 'list the views with their columns')
    .option('--url', 'print the connection string of the reader login, for psql and other programs')
    .action(runs(run, async () => (await import('./sql.ts')).sql));
}
