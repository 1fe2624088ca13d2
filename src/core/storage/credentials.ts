import { ValidationError } from '../errors.ts';
import type { LocationKind } from './location.ts';

/** Secrets of a location. They are stored apart from it, and shown nowhere. */
export interface Credentials {
  /** S3. */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
  /** SFTP and Postgres. */
  readonly password?: string;
  /** SFTP: private key in a PEM or OpenSSH form, and its passphrase. */
  readonly privateKey?: string;
  readonly passphrase?: string;
  /** HTTPS: sent as `Authorization: Bearer`. */
  readonly token?: string;
}

/** Names of credentials in files and HTTP bodies, by kind of location. */
const namesOfKind: Readonly<Record<LocationKind, readonly (keyof Credentials)[]>> = {
  folder: [],
  s3: ['accessKeyId', 'secretAccessKey', 'sessionToken'],
  sftp: ['password', 'privateKey', 'passphrase'],
  https: ['token'],
  postgres: ['password'],
};

const charsMax = 16_384;

/**
 * Parses credentials: a JSON object with snake_case names, such as `{"access_key_id": "…", "secret_access_key": "…"}`.
 *
 * @throws ValidationError for an unknown name or a value that is not a text; the message contains no value.
 */
export function parseCredentials(kind: LocationKind, value: unknown): Credentials {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new ValidationError(`Credentials must be a JSON object with ${known(kind)}.`);
  }
  const read: Partial<Record<keyof Credentials, string>> = {};
  for (const [written, text] of Object.entries(value)) {
    const name = namesOfKind[kind].find((each) => snakeCase(each) === written);
    if (name === undefined) {
      throw new ValidationError(`Unknown name in the credentials of a ${kind} location. Use ${known(kind)}.`);
    }
    if (typeof text !== 'string' || text === '' || text.length > charsMax) {
      throw new ValidationError(`${written} must be a text of 1 to ${charsMax} characters.`);
    }
    read[name] = text;
  }
  if ((read.accessKeyId === undefined) !== (read.secretAccessKey === undefined)) {
    throw new ValidationError('S3 credentials need both access_key_id and secret_access_key.');
  }
  return read;
}

function known(kind: LocationKind): string {
  const names = namesOfKind[kind].map(snakeCase);
  return names.length === 0 ? 'nothing: a folder has no credentials' : names.join(', ');
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
