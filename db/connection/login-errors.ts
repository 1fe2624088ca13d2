import type pg from 'pg';
import { Misconfigured } from '../../src/core/errors.ts';

const passwordRemedy =
  'Check the user and the password in SETTING, and pg_hba.conf of the server. In a password, characters such as # / ? @ : % are written ' +
  'as %23 %2F %3F %40 %3A %25.';

/** Message with which a pooler rejects settings of a session. */
const poolerMessage = /unsupported startup parameter/;

/** Rejections of a login by SQLSTATE and Postgres' message, with the remedy. `SETTING` stands for the setting that names the server. */
const refusals: readonly (readonly [code: RegExp, message: RegExp, remedy: string])[] = [
  [/^28/, /./, passwordRemedy],
  [
    /^3D000/,
    /./,
    'Create it (`createdb NAME`), or correct its name in SETTING. Then run `nightshift migrate`.',
  ],
  [
    /^42501/,
    /set role/,
    'Grant the role to the login of SETTING, or use the login that ran `nightshift migrate`.',
  ],
  [/^22023/, /"role"/, 'Run `nightshift migrate`, which creates the role.'],
  [
    /^08P01/,
    poolerMessage,
    'This is a pooler, such as PgBouncer: put the address of the server itself into NIGHTSHIFT_DIRECT_URL.',
  ],
];

/** Errors of encryption, by the code or the message of the driver and of Node. */
const tlsError = /CERT|^ERR_(TLS|SSL|OSSL)|UNABLE_TO_VERIFY|does not support SSL|(SSL|TLS) connection/i;
const tlsRemedy = 'Check sslmode, sslrootcert and the host in SETTING, and the certificate of the server.';

/**
 * Runs work that starts with a login, and turns a rejection into a remedy for the operator.
 *
 * @param setting that names the server, such as `DATABASE_URL`.
 * @throws Misconfigured when the server rejects the login; everything else passes through unchanged.
 */
export async function withLogin<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error, setting);
  }
}

/** True when a login was rejected by a pooler, because sessions there have no settings. */
export function isPoolerRejection(error: pg.DatabaseError): boolean {
  return error.code === '08P01' && poolerMessage.test(error.message);
}

function explained(error: unknown, setting: string): unknown {
  if (!(error instanceof Error)) return error;
  const remedy = remedyFor(error);
  if (remedy === null) return error;
  return new Misconfigured(
    `Postgres of ${setting} rejects the login: ${error.message}. ${remedy.replaceAll('SETTING', setting)}`,
    { cause: error },
  );
}

function remedyFor(error: Error): string | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A missing certificate file: the only file that a login opens.
  const isFile = code === 'ENOENT' && 'syscall' in error && error.syscall === 'open';
  if (isFile || tlsError.test(code) || tlsError.test(error.message)) return tlsRemedy;
  // The driver's own error if the URL has no password and the server requires one.
  if (error.message.startsWith('SASL:')) return passwordRemedy;
  const known = refusals.find(([state, words]) => state.test(code) && words.test(error.message));
  return known === undefined ? null : known[2];
}
