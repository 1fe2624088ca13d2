import type { Database } from '../../../db/connection/client.ts';
import { readExcessRights, readLogin, readRoles } from '../../../db/info/role-info.ts';
import type { Config } from '../../config/config.ts';
import { parsePostgresUrl } from '../../core/postgres-url.ts';
import type { PostgresAddress } from '../../postgres-server/find-servers.ts';
import { examineAccountReader } from './collect-account-reader.ts';
import { examine, errorMessage, type Finding } from './check-result.ts';
import { evaluateActing, evaluateReaderLogin, evaluateRights, evaluateRole } from './evaluate-roles.ts';
import { openLogin } from './open-login.ts';

/** Data of the server that earlier checks have collected. */
export interface RoleOptions {
  readonly address: PostgresAddress;
  readonly config: Config;
  readonly isMigrated: boolean;
}

/** Checks the roles of Nightshift: their existence, the logins that act in them, and their privileges. */
export async function examineRoles(
  database: Database,
  { address, config, isMigrated }: RoleOptions,
): Promise<readonly Finding[]> {
  const { appUrl, directUrl, readerUrl } = address;
  let areThere = false;
  const roles = await examine('roles', async () => {
    const found = await readRoles(database.pool);
    areThere = found.every(({ exists }) => exists);
    return found.map((role) => evaluateRole(role, { login: loginOf(appUrl), isMigrated }));
  });
  if (!areThere) return roles;
  const own = address.isPooled ? 'NIGHTSHIFT_DIRECT_URL' : 'DATABASE_URL';
  const given = address.kind === 'private' ? 'the private server' : own;
  return [
    ...roles,
    await examineActing('nightshift_app', directUrl, given),
    await examineActing(
      'nightshift_reader',
      readerUrl,
      config.readerUrl === null ? given : 'NIGHTSHIFT_READER_URL',
    ),
    ...(isMigrated
      ? await examine('rights of the roles', async () => [
          evaluateRights(await readExcessRights(database.sql)),
        ])
      : []),
    ...(config.readerUrl === null ? [] : await examineReaderLogin(readerUrl)),
    ...(isMigrated ? await examineAccountReader(database, address) : []),
  ];
}

/** Checks that a login can act in a role. A rejected attempt becomes the result. */
async function examineActing(
  role: 'nightshift_app' | 'nightshift_reader',
  url: string,
  setting: string,
): Promise<Finding> {
  const acting = openLogin(url, role);
  const info = { role, login: loginOf(url), setting };
  try {
    await acting.pool.query('SELECT 1');
    return evaluateActing(info, null);
  } catch (error) {
    return evaluateActing(info, errorMessage(error));
  } finally {
    await acting.close();
  }
}

function examineReaderLogin(url: string): Promise<readonly Finding[]> {
  return examine('login of the reader', async () => {
    const reader = openLogin(url, null);
    try {
      return [evaluateReaderLogin(await readLogin(reader.pool))];
    } finally {
      await reader.close();
    }
  });
}

function loginOf(url: string): string {
  return parsePostgresUrl(url).user;
}
