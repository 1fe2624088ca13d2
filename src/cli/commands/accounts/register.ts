import type { Command } from 'commander';
import { scopes } from '../../../core/accounts/api-key.ts';
import { roles } from '../../../core/accounts/roles.ts';
import { accountOption, jsonOption, runs, type RunCommand } from '../../context/command-options.ts';

/** Adds `accounts`, `keys`, `users` and the access of an account. */
export function addAccountsCommands(program: Command, run: RunCommand): void {
  program.commandsGroup('Accounts:');
  addAccessCommands(program, run);
  addUserCommands(program, run);
}

function addAccessCommands(program: Command, run: RunCommand): void {
  const accounts = jsonOption(program.command('accounts'))
    .description('The accounts, with their credits and keys.')
    .action(runs(run, async () => (await import('./accounts.ts')).accounts));
  jsonOption(accounts.command('add').argument('<name>'))
    .description('A new account, without credits.')
    .action(runs(run, async () => (await import('./accounts.ts')).addAccount));
  jsonOption(accounts.command('limits').argument('<name>'))
    .summary('what an account may ask for')
    .description(
      'What an account may ask for, or set that: a number, or default for what the settings say. It counts at once, in every process.',
    )
    .option('--requests-per-minute <number>', 'requests with all its keys and sessions together')
    .option('--open-lookups <number>', 'companies and addresses of its lists that may be in line at a time')
    .option('--rows-per-batch <number>', 'data rows of one list')
    .action(runs(run, async () => (await import('./account-access.ts')).accountLimits));
  jsonOption(accounts.command('login').argument('<name>'))
    .summary('a login to the database that reads this account alone')
    .description(
      'A login to the database for psql and other programs, which reads the views of this account alone. Its connection string is shown ' +
        'once; again, it gets a new password.',
    )
    .option('--remove', 'remove it, and end its sessions')
    .action(runs(run, async () => (await import('./account-access.ts')).accountLogin));

  const keys = accountOption(jsonOption(program.command('keys')))
    .description('The API keys of the account.')
    .action(runs(run, async () => (await import('./keys.ts')).keys));
  accountOption(jsonOption(keys.command('create')))
    .description('A new key. It is shown once and never again.')
    .option('--name <text>', 'what it is for', 'unnamed')
    .option(
      '--scopes <names>',
      `what it may do, separated by commas: ${scopes.join(', ')} (default: all but admin)`,
    )
    .option('--expires <days>', 'after how many days it expires (default: never)')
    .action(runs(run, async () => (await import('./keys.ts')).createKey));
  accountOption(jsonOption(keys.command('regenerate').argument('<key-id>')))
    .description('A new key in place of an old one, which is refused from now on.')
    .action(runs(run, async () => (await import('./keys.ts')).regenerateKey));
  accountOption(jsonOption(keys.command('revoke').argument('<key-id>')))
    .description('Refuse a key from now on.')
    .action(runs(run, async () => (await import('./keys.ts')).revokeKey));
}

function addUserCommands(program: Command, run: RunCommand): void {
  const commands = () => import('./users.ts');
  const users = jsonOption(program.command('users'))
    .summary('who may sign in to the console')
    .description('Who may sign in to the console: of which account, in which role, and when they last did.')
    .action(runs(run, async () => (await commands()).users));
  accountOption(
    linkMinutes(jsonOption(users.command('add').argument('<login>', 'an e-mail address or a name'))),
  )
    .description('Let somebody sign in. Prints the link by which they do so for the first time.')
    .option('--role <role>', `what they may do: ${roles.join(', ')}`, 'member')
    .action(runs(run, async () => (await commands()).addUser));
  linkMinutes(jsonOption(users.command('link').argument('<login>')))
    .description('A new link that signs in once: for who has forgotten the password, or has none.')
    .action(runs(run, async () => (await commands()).linkUser));
  jsonOption(users.command('role').argument('<login>').argument('<role>', roles.join(', ')))
    .description('Another role; it counts from the next click on.')
    .action(runs(run, async () => (await commands()).setUserRole));
  jsonOption(users.command('sign-out').argument('<login>'))
    .description('End all sessions of a user everywhere, and links that were not used.')
    .action(runs(run, async () => (await commands()).signOutUser));
  jsonOption(users.command('disable').argument('<login>'))
    .description('Sign a user out everywhere, and let them sign in no more.')
    .action(runs(run, async () => (await commands()).disableUser));
  jsonOption(users.command('enable').argument('<login>'))
    .description('Let a user sign in again.')
    .action(runs(run, async () => (await commands()).enableUser));
}

function linkMinutes(command: Command): Command {
  return command.option('--minutes <number>', 'how long the link is good for', '60');
}
