import { migrate } from '../../../../db/migrate.ts';
import { makeServiceLogins, type ServiceLogin } from '../../../../db/logins/service-logins.ts';
import type { Config } from '../../../config/config.ts';
import { Misconfigured } from '../../../core/errors.ts';
import { findPostgres } from '../../../postgres-server/find-servers.ts';
import { schemaFolder } from '../../../package-root.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Brings the schema up to date. Safe to run at any time, and from several places at once. */
export const migrateCommand: Command<[], { readonly logins?: boolean }> = async (
  { config, output },
  { logins: withLogins = false },
) => {
  const wanted = withLogins ? serviceLogins(config()) : [];
  const postgres = await findPostgres(config(), output.note);
  const { applied, total, redefined } = await migrate(postgres.ownerUrl, schemaFolder, (reason) =>
    output.note(`Waiting: ${reason}.`),
  );
  const logins = await makeServiceLogins(postgres.ownerUrl, wanted);
  output.result({ applied, total, redefined, ...(withLogins ? { logins } : {}) }, () =>
    [
      applied.length === 0
        ? `The schema is up to date (${total} migrations).`
        : `Applied ${applied.length} of ${total} migrations: ${applied.join(', ')}.`,
      ...(redefined ? ['Defined functions, triggers and views anew.'] : []),
      ...(withLogins ? [`Logins that can enter: ${logins.join(', ')}.`] : []),
    ].join('\n'),
  );
  return exitCodes.done;
};

/**
 * The logins of the settings, with the roles that each acts in.
 *
 * @throws Misconfigured without a server of one's own, whose logins these are.
 */
function serviceLogins({ databaseUrl, readerUrl, accountReaderUrl }: Config): readonly ServiceLogin[] {
  if (databaseUrl === null) {
    throw new Misconfigured(
      '--logins makes the logins of a server of yours: set DATABASE_URL, and NIGHTSHIFT_OWNER_URL for the owner. The private server has its logins.',
    );
  }
  // Without a login of their own, people's SQL and the service share one.
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
