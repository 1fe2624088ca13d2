import { Command } from 'commander';
import { packageVersion } from '../package-root.ts';
import type { RunCommand } from './context/command-options.ts';
import { exitCodeMeanings, exitCodes } from './context/exit-codes.ts';
import { fitHelp, helpColumns, helpFormat } from './terminal/help-format.ts';
import type { TerminalStream } from './terminal/status-line.ts';
import { showCommandNotes } from './command-notes.ts';
import { addBackupCommands } from './commands/backups/register.ts';
import { addBatchesCommands } from './commands/batches/register.ts';
import { addServerCommands } from './commands/server/register.ts';
import { addInboxCommands } from './commands/inboxes/register.ts';
import { addScheduleCommands } from './commands/schedules/register.ts';
import { addSourcesCommands } from './commands/sources/register.ts';
import { addEmailsCommands } from './commands/emails/register.ts';
import { addSqlCommands } from './commands/sql/register.ts';
import { addDestinationCommands } from './commands/destinations/register.ts';
import { addWebhooksCommands } from './commands/webhooks/register.ts';
import { addAccountsCommands } from './commands/accounts/register.ts';
import { addCreditsCommands } from './commands/credits/register.ts';

/** Streams for help and for usage errors. */
export interface ProgramStreams {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  /** Command that starts this command line, for examples. Default `nightshift`. */
  readonly ownCommand?: string;
}

/**
 * Creates the command tree with its arguments and options. Each command loads its code on its first call, so that `--help` is fast.
 */
export function createProgram(
  { stdout, stderr, ownCommand = 'nightshift' }: ProgramStreams,
  run: RunCommand,
): Command {
  const program = new Command('nightshift')
    .description('Look up the ads of a list of companies overnight, and query the results in SQL.')
    .version(packageVersion, '-V, --version', 'print the version')
    .option('--account <name>', 'account of the command (default: default)')
    .exitOverride()
    .configureHelp(helpFormat)
    .configureOutput({
      writeOut: (text) => void stdout.write(fitHelp(text, stdout)),
      writeErr: (text) => void stderr.write(fitHelp(text, stderr)),
      getOutHelpWidth: () => helpColumns(stdout),
      getErrHelpWidth: () => helpColumns(stderr),
      outputError: (text, write) => write(text.replace(/^error: /, 'Error: ')),
    })
    .helpCommand('help [command]', 'Show help for a command')
    .showHelpAfterError('Run the command with --help for its usage.')
    .addHelpText('after', exitCodeHelp);
  addBatchesCommands(program, run);
  addServerCommands(program, run);
  addBackupCommands(program, run);
  addScheduleCommands(program, run);
  addInboxCommands(program, run);
  addSourcesCommands(program, run);
  addEmailsCommands(program, run);
  addSqlCommands(program, run);
  addDestinationCommands(program, run);
  addWebhooksCommands(program, run);
  addAccountsCommands(program, run);
  addCreditsCommands(program, run);
  showCommandNotes(program, ownCommand);
  return program;
}

const exitCodeHelp = [
  '',
  'Exit codes:',
  ...Object.entries(exitCodes).map(
    ([name, code]) => `  ${String(code).padEnd(4)}${exitCodeMeanings[name as keyof typeof exitCodes]}`,
  ),
].join('\n');
