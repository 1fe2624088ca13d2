import pg from 'pg';
import { Misconfigured } from '../../src/core/errors.ts';
import { parsePostgresUrl } from '../../src/core/postgres-url.ts';
import { withDatabase } from '../connection/client.ts';
import { createClient } from '../connection/postgres-client.ts';
import { withLogin } from '../connection/login-errors.ts';
import { scramVerifier } from './scram.ts';

/** A login of the service, from its connection string. */
export interface ServiceLogin {
  /** The setting with the connection string. */
  readonly setting: string;
  readonly url: string;
  /** Roles of the login, which the migrations create. */
  readonly roles: readonly string[];
  /** True for the login that runs queries of accounts, with their limits. */
  readonly isAccountReader?: boolean;
}

/**
 * Maximum number of connections of the login that runs queries of accounts. Each process runs four at a time; the rest of the
 * server's connections serves others.
 */
const accountReaderConnectionsMax = 20;

/** Maximum temporary files of an account's query. A query that sorts more is a mistake, and the disk is shared. */
const accountReaderFilesMax = '1GB';

/**
 * Creates missing logins, sets each password from its connection string, and grants the roles; other properties stay. Safe to
 * run again, such as after a change of a password. One transaction: all of them or none.
 *
 * @param ownerUrl may create roles, and was used to migrate.
 * @returns the names, in order.
 * @throws Misconfigured when a connection string has no name or password, names the owner or a superuser, and when the owner
 * lacks a privilege.
 */
export async function makeServiceLogins(
  ownerUrl: string,
  logins: readonly ServiceLogin[],
): Promise<readonly string[]> {
  const wanted = logins.map((login) => ({ ...login, ...readCredentials(login) }));
  return withDatabase(async () => {
    const client = createClient({ connectionString: ownerUrl, application_name: 'nightshift migrate' });
    await withLogin('NIGHTSHIFT_OWNER_URL', () => client.connect());
    try {
      await client.query('BEGIN');
      for (const login of wanted) await makeLogin(client, login);
      await client.query('COMMIT');
      return wanted.map(({ name }) => name);
    } catch (error) {
      throw explainMissingRight(error);
    } finally {
      await client.end();
    }
  });
}

type NamedLogin = ServiceLogin & { readonly name: string; readonly password: string };

function readCredentials({ setting, url }: ServiceLogin): { name: string; password: string } {
  const { user, password } = parsePostgresUrl(url);
  if (user === '' || password === '') {
    throw new Misconfigured(
      `${setting} names no ${user === '' ? 'user' : 'password'}, so its login cannot be made. Write postgresql://USER:PASSWORD@HOST/DATABASE.`,
    );
  }
  return { name: user, password };
}

async function makeLogin(client: pg.Client, login: NamedLogin): Promise<void> {
  const role = client.escapeIdentifier(login.name);
  const found = await client.query<{ is_superuser: boolean; is_owner: boolean }>(
    'SELECT rolsuper AS is_superuser, rolname = current_user AS is_owner FROM pg_roles WHERE rolname = $1',
    [login.name],
  );
  const [before] = found.rows;
  if (before?.is_owner === true || before?.is_superuser === true) throw tooMighty(login, before.is_owner);
  if (before === undefined) await client.query(`CREATE ROLE ${role}`);
  // A server that logs statements logs the verifier, not the password.
  const verifier = client.escapeLiteral(scramVerifier(login.password));
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${verifier}`);
  for (const group of login.roles) await client.query(`GRANT ${client.escapeIdentifier(group)} TO ${role}`);
  if (login.isAccountReader === true) await limitAccountReader(client, login.name);
}

/** Sets the limits of a login that runs queries of accounts; the limit of files only if the session may. */
export async function limitAccountReader(client: pg.Client, name: string): Promise<void> {
  const role = client.escapeIdentifier(name);
  await client.query(`ALTER ROLE ${role} CONNECTION LIMIT ${accountReaderConnectionsMax}`);
  // The owner's function nightshift.end_account_backend ends its sessions.
  await client.query(`GRANT ${role} TO CURRENT_USER`);
  const { rows } = await client.query<{ may: boolean }>(
    "SELECT has_parameter_privilege('temp_file_limit', 'SET') AS may",
  );
  if (rows[0]?.may === true)
    await client.query(`ALTER ROLE ${role} SET temp_file_limit = '${accountReaderFilesMax}'`);
}

function tooMighty({ setting, name }: NamedLogin, isOwner: boolean): Misconfigured {
  const what = isOwner ? 'the login that migrates' : 'a superuser';
  return new Misconfigured(
    `${setting} is by "${name}", which is ${what}: the service must not be able to change its own privileges. Give it a login of ` +
      'another name, and put the owner into NIGHTSHIFT_OWNER_URL.',
  );
}

function explainMissingRight(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError && error.code === '42501')) return error;
  return new Misconfigured(
    `The login of NIGHTSHIFT_OWNER_URL may not create logins: ${error.message}. As an administrator: \`ALTER ROLE … CREATEROLE\`.`,
    { cause: error },
  );
}
