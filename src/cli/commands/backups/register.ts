import type { Command } from 'commander';
import { creates, jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `backup` with its subcommands, and `restore`. */
export function addBackupCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Server:');
  const commands = () => import('./backups.ts');
  const backup = archiveOptions(jsonOption(program.command('backup')))
    .summary('Back up the private server')
    .description(
      'Copy the running private server to an archive, and keep every later change and every call to a source there, so that `restore` brings ' +
        'back any second (docs/guides/backup.md). On a server of your own, only the calls are kept; back it up with its own tools.',
    )
    .argument(
      '[location]',
      '/folder, s3://bucket/prefix or sftp://user@host/folder (default: the present archive)',
    )
    .option('--every <time>', 'also take a backup in this interval while `up` or `work` runs: 12h, 1d …')
    .option('--keep <number>', 'number of backups to keep (default: 7)')
    .option(
      '--take-over',
      'in a restored or moved database: go on in the archive of the original, which must not run any more',
    )
    .action(creates(run, async () => (await commands()).backup));
  archiveOptions(jsonOption(backup.command('list')))
    .description('List the backups of an archive')
    .argument('[location]', 'archive (default: the present one)')
    .action(runs(run, async () => (await commands()).listBackups));
  archiveOptions(jsonOption(backup.command('verify')))
    .summary('Restore a backup into a scratch server, and check every invariant there')
    .description(
      'Restore the newest state of an archive into a scratch server, check every invariant there as `verify` does, and remove it',
    )
    .argument('[location]', 'archive (default: the present one)')
    .option('--backup <id>', 'start from this backup (default: the newest)')
    .action(runs(run, async () => (await import('./verify-backup.ts')).verifyBackup));
  jsonOption(backup.command('off'))
    .description('Stop archiving; the files in the archive stay')
    .action(runs(run, async () => (await commands()).stopBackups));
  archiveOptions(jsonOption(program.command('restore')))
    .summary('Restore the private server from an archive')
    .description(
      'Restore the private server from an archive, up to a moment. Calls that were made afterwards are read from the archive, so that nothing ' +
        'is paid for twice. Until the restore has succeeded, the present data stays in place; then it is kept beside. On a server of your own, which ' +
        'its own tools restore, only the calls are read.',
    )
    .argument('<location>', 'archive: /folder, s3://bucket/prefix or sftp://user@host/folder')
    .option(
      '--to <moment>',
      'moment to restore, such as "2026-11-22 02:13" in your time zone, or 2026-11-22T02:13Z (default: the newest state)',
    )
    .option('--backup <id>', 'start from this backup (default: the newest before the moment)')
    .option('--replace', 'replace the present data of the home, and keep it beside the restored data')
    .action(creates(run, async () => (await import('./restore.ts')).restore));
}

function archiveOptions(command: Command): Command {
  return command
    .option(
      '--credentials <file>',
      'credentials of the archive as a JSON object; -: standard input (default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)',
    )
    .option('--endpoint <url>', 'S3: origin of the service (default: Amazon)')
    .option('--s3-region <name>', 'S3: region (default: us-east-1)')
    .option('--host-key <key>', 'SFTP: key of the server, SHA256:…');
}
