import { Option, type Command } from 'commander';
import { afterPolicies, inboxFileStates, settleBounds } from '../../../core/inboxes/inbox.ts';
import {
  accountOption,
  jsonOption,
  readingOptions,
  creates,
  runs,
  searchOptions,
  type RunCommand,
} from '../../context/command-options.ts';

/** Adds `inbox` with its subcommands. */
export function addInboxCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Inboxes:');
  const inbox = accountOption(jsonOption(program.command('inbox')))
    .summary('Manage inboxes, whose new files become batches')
    .description(
      'Manage inboxes: folders, buckets, SFTP folders, HTTPS addresses and queries on Postgres, in which new files become batches. Any ' +
        'running `up` or `work` looks into them. Without a subcommand, lists all inboxes.',
    )
    .action(runs(run, async () => (await import('./inbox.ts')).listInboxes));
  addMakers(inbox, run);
  addViews(inbox, run);
  addMoves(inbox, run);
}

const named = ['<name>', 'name or id of the inbox'] as const;
const locationText =
  'folder, s3://bucket/prefix, sftp://user@host/folder, https://… or postgres://user@host/database';
const mapText = 'column for company_domain, company_name or email';

function addMakers(inbox: Command, run: RunCommand): void {
  const add = accountOption(
    readingOptions(inbox.command('add').argument('<name>').argument('<location>', locationText), mapText),
  )
    .summary('Add an inbox')
    .description(
      'Add an inbox. Opens the location at once and shows what is there. Files that are there become batches, too. Nothing in the location ' +
        'is deleted unless --after says so.',
    );
  termOptions(add).action(creates(run, async () => (await import('./inbox-edit.ts')).addInbox));

  const edit = accountOption(readingOptions(inbox.command('edit').argument(...named), mapText))
    .summary('Change an inbox')
    .description(
      'Change an inbox. Options that are not given keep their values; a file that is being loaded is not affected.',
    )
    .option('--name <name>', 'new name')
    .option('--location <location>', locationText);
  termOptions(edit).action(runs(run, async () => (await import('./inbox-edit.ts')).editInbox));
}

function addViews(inbox: Command, run: RunCommand): void {
  const load = () => import('./inbox.ts');
  accountOption(jsonOption(inbox.command('list')))
    .description('List inboxes with their files and their last look')
    .action(runs(run, async () => (await load()).listInboxes));
  accountOption(jsonOption(inbox.command('show').argument(...named)))
    .description('Show an inbox with all its settings')
    .action(runs(run, async () => (await load()).showInbox));
  accountOption(jsonOption(inbox.command('files').argument(...named)))
    .description('List files of an inbox, newest first, with their batches or the reasons why they have none')
    .option('--count <number>', 'number of files, at most 1000', '20')
    .addOption(new Option('--state <state>', 'only files in this state').choices(inboxFileStates))
    .action(runs(run, async () => (await load()).listFiles));
}

function addMoves(inbox: Command, run: RunCommand): void {
  const load = () => import('./inbox-moves.ts');
  accountOption(jsonOption(inbox.command('look').argument(...named)))
    .description('Look into an inbox now, and load its new files')
    .action(runs(run, async () => (await load()).pollInbox));
  accountOption(
    jsonOption(
      inbox
        .command('retry')
        .argument(...named)
        .argument('<file>', 'path or id of a failed file'),
    ),
  )
    .summary('Load a failed file once more')
    .description('Load a failed file once more, with the present settings. It is read from failed/.')
    .action(runs(run, async () => (await load()).retryFile));
  accountOption(jsonOption(inbox.command('pause').argument(...named)))
    .description('Pause an inbox: no further file is loaded')
    .action(runs(run, async () => (await load()).pauseInbox));
  accountOption(jsonOption(inbox.command('resume').argument(...named)))
    .description('Resume a paused inbox, and look at once')
    .action(runs(run, async () => (await load()).resumeInbox));
  accountOption(jsonOption(inbox.command('remove').argument(...named)))
    .description('Remove an inbox and its credentials; its files and batches are kept')
    .action(runs(run, async () => (await load()).removeInbox));
}

/** Adds the options of an inbox. They have no defaults, because `edit` keeps what is not given. */
function termOptions(command: Command): Command {
  const terms = command
    .option('--every <time>', 'time between looks: 5m, 2h or 1d (default: 5m)')
    .option('--cron <pattern>', 'times of the looks as a cron pattern, instead of --every')
    .option('--tz <zone>', 'time zone of the pattern, such as Europe/Berlin (default: that of this machine)')
    .option('--pattern <glob>', 'pattern for the names of files, such as "*.csv" (default: all)')
    .option(
      '--settle <time>',
      `time without a change until a file is complete, for folders and SFTP (default: ${settleBounds.standardMs / 1000}s)`,
    )
    .addOption(
      new Option(
        '--after <policy>',
        'what happens to a file that became a batch: keep, move to done/ or delete (default: keep)',
      ).choices(afterPolicies),
    )
    .option('--query <file>', 'SQL of an inbox on Postgres: a file, or the text of a SELECT')
    .option(
      '--newer-by <column>',
      'column of the query whose greater values mark newer rows (default: all rows)',
    )
    .option('--credentials <file>', 'JSON file with the credentials of the location; - for standard input')
    .option('--endpoint <url>', 'origin of an S3-compatible service (default: that of Amazon)')
    .option('--s3-region <name>', 'region of the bucket (default: us-east-1)')
    .option('--host-key <key>', 'key of the SFTP server, SHA256:… (default: that of the first connection)')
    .option('--operations <names>', 'ads_search, email_validation or both (default: as the columns allow)')
    .option('--max-credits <credits>', 'budget of each batch in credits, or none')
    .option('--again', 'create a batch for every file, even if a batch has its content')
    .option('--no-again', 'join the batch that has the content of a file');
  return searchOptions(terms);
}
