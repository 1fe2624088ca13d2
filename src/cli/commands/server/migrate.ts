import { migrate } from '../../../../db/migrate.ts';
import { makeServiceLogins, type ServiceLogin } from '../../../../db/logins/service-logins.ts';
import { limitPooledLogin } from '../../../../db/logins/pooled-login.ts';
import type { Config } from '../../../config/config.ts';
import { Misconfigured } from '../../../core/errors.ts';
import { findPostgres } from '../../../postgres-server/find-servers.ts';
import { schemaFolder } from '../../../package-root.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Applies pending migrations. Safe at any time, and from several processes at once. */
export const migrateCommand: Command<[], { readonly logins?: boolean }> = async (
  { config, output },
  { logins: withLogins = false },
) => {
  const requested = withLogins ? serviceLogins(config()) : [];
  const postgres = await findPostgres(config(), { onProgress: output.note });
  const { applied, total, redefined } = await migrate(
    postgres.ownerUrl,
    schemaFolder,
    (reason) => output.note(`Waiting: ${reason}.`),
    (progress) => output.note(`${progress}.`),
  );
  const logins = await makeServiceLogins(postgres.ownerUrl, requested);
  if (postgres.isPooled) await limitPooledLogin(postgres.appUrl, config().leaseMs);
  output.result({ applied, total, redefined, ...(withLogins ? { logins } : {}) }, () =>
    [
      applied.length === 0
        ? `The schema is up to date (${total} migrations).`
        : `Applied ${applied.length} of ${total} migrations: ${applied.join(', ')}.`,
      ...(redefined ? ['Recreated functions, triggers and views.'] : []),
      ...(withLogins ? [`Logins: ${logins.join(', ')}.`] : []),
    ].join('\n'),
  );
  return exitCodes.done;
};

/**
 * Returns the logins of the settings, with the roles of each.
 *
 * @throws Misconfigured without DATABASE_URL: the private server has its own logins.
 */
function serviceLogins({ databaseUrl, readerUrl, accountReaderUrl }: Config): readonly ServiceLogin[] {
  if (databaseUrl === null) {
    throw new Misconfigured(
      '--logins requires your own server: set DATABASE_URL, and NIGHTSHIFT_OWNER_URL for the owner. The private server has its logins already.',
    );
  }
  // Without NIGHTSHIFT_READER_URL, `nightshift sql` and the service share a login.
  const ownRoles = readerUrl === null ? ['nightshift_app', 'nightshift_reader'] : ['nightshift_app'];
  const logins: ServiceLogin[] = [{ setting: 'DATABASE_URL', url: databaseUrl, roles: ownRoles }];
  if (readerUrl !== null)
    logins.push({ setting: 'NIGHTSHIFT_READER_URL', url: readerUrl, roles: ['nightshift_reader'] });
  if (accountReaderUrl !== null)
    logins.push({
      setting: 'NIGHTSHIFT_ACCOUNT_READER_URL',
      url: accountReaderUrl,
      roles: ['nightshift_account'],
      isAccountReader: true,
    });
  return logins;
}
