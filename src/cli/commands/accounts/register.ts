import type { Command } from 'commander';
import { scopes } from '../../../core/accounts/api-key.ts';
import { roles } from '../../../core/accounts/roles.ts';
import { accountOption, jsonOption, creates, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `accounts`, `keys` and `users` with their subcommands. */
export function addAccountsCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Accounts:');
  addAccessCommands(program, run);
  addUserCommands(program, run);
}

function addAccessCommands(program: Command, run: RunCommand): void {
  const accounts = jsonOption(program.command('accounts'))
    .description('List accounts with their credits and keys')
    .action(runs(run, async () => (await import('./accounts.ts')).accounts));
  jsonOption(accounts.command('add').argument('<name>'))
    .description('Create an account, without credits')
    .action(creates(run, async () => (await import('./accounts.ts')).addAccount));
  jsonOption(accounts.command('limits').argument('<name>'))
    .summary('Show or set the limits of an account')
    .description(
      'Show or set the limits of an account: a number, or default for the value of the settings. A change applies immediately in every ' +
        'process.',
    )
    .option('--requests-per-minute <number>', 'requests per minute of all keys and sessions')
    .option('--open-lookups <number>', 'open lookups of all batches')
    .option('--rows-per-batch <number>', 'data rows per batch')
    .option('--weight <number>', 'share of the work of batches beside other accounts, 1 to 100')
    .option('--source-concurrency <source=number...>', 'calls in flight to a source')
    .option('--source-calls-per-day <source=number...>', 'calls per day (UTC) to a source')
    .action(runs(run, async () => (await import('./account-access.ts')).accountLimits));
  jsonOption(accounts.command('login').argument('<name>'))
    .summary('Create a database login for an account')
    .description(
      'Create a database login for an account: psql and other programs can read the views of this account only. The connection string is ' +
        'shown once; run the command again for a new password.',
    )
    .option('--remove', 'remove the login and end its sessions')
    .action(runs(run, async () => (await import('./account-access.ts')).accountLogin));

  const keys = accountOption(jsonOption(program.command('keys')))
    .description('List the API keys of the account')
    .action(runs(run, async () => (await import('./keys.ts')).keys));
  accountOption(jsonOption(keys.command('create')))
    .summary('Create an API key')
    .description('Create an API key. The key is shown once.')
    .option('--name <text>', 'name of the key', 'unnamed')
    .option('--scopes <names>', `scopes, separated by commas: ${scopes.join(', ')} (default: all but admin)`)
    .option('--expires <days>', 'days until the key expires (default: never)')
    .action(creates(run, async () => (await import('./keys.ts')).createKey));
  accountOption(jsonOption(keys.command('regenerate').argument('<key-id>')))
    .summary('Replace an API key')
    .description('Replace an API key. The new key is shown once; the old key is rejected immediately.')
    .action(runs(run, async () => (await import('./keys.ts')).regenerateKey));
  accountOption(jsonOption(keys.command('revoke').argument('<key-id>')))
    .description('Revoke an API key')
    .action(runs(run, async () => (await import('./keys.ts')).revokeKey));
}

function addUserCommands(program: Command, run: RunCommand): void {
  const commands = () => import('./users.ts');
  const users = jsonOption(program.command('users'))
    .summary('Manage users of the console')
    .description(
      'Manage users of the console. Without a subcommand, lists them with their account, role and last sign-in.',
    )
    .action(runs(run, async () => (await commands()).users));
  accountOption(linkMinutes(jsonOption(users.command('add').argument('<login>', 'e-mail address or name'))))
    .description('Add a user and print a one-time sign-in link')
    .option('--role <role>', `role: ${roles.join(', ')}`, 'member')
    .action(creates(run, async () => (await commands()).addUser));
  linkMinutes(jsonOption(users.command('link').argument('<login>')))
    .summary('Create a one-time sign-in link')
    .description('Create a one-time sign-in link, for a user who has no password or forgot it')
    .action(runs(run, async () => (await commands()).linkUser));
  jsonOption(users.command('role').argument('<login>').argument('<role>', roles.join(', ')))
    .description('Change the role of a user. A lower role signs the user out')
    .action(runs(run, async () => (await commands()).setUserRole));
  jsonOption(users.command('sign-out').argument('<login>'))
    .description('End all sessions of a user and invalidate unused links')
    .action(runs(run, async () => (await commands()).signOutUser));
  jsonOption(users.command('disable').argument('<login>'))
    .description('Disable a user and end all their sessions')
    .action(runs(run, async () => (await commands()).disableUser));
  jsonOption(users.command('enable').argument('<login>'))
    .description('Enable a disabled user')
    .action(runs(run, async () => (await commands()).enableUser));
}

function linkMinutes(command: Command): Command {
  return command.option('--minutes <number>', 'lifetime of the link in minutes', '60');
}
