import { Option, type Command } from 'commander';
import { jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `sql`. */
export function addSqlCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('SQL:');
  jsonOption(program.command('sql').argument('[query]'))
    .description('A read-only query over the views of the schema reports.')
    .addOption(new Option('--format <format>', 'how to print the answer').choices(['table', 'csv', 'json']))
    .option('--url', 'print the reader login as a connection string, for psql and others')
    .action(runs(run, async () => (await import('./sql.ts')).sql));
}
