import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { ValidationError } from '../../core/errors.ts';
import { parseCredentials, type Credentials } from '../../core/storage/credentials.ts';
import type { LocationKind } from '../../core/storage/location.ts';
import { snakeKeys } from '../terminal/snake-keys.ts';
import type { CommandContext } from './command-context.ts';
import { noteTyping } from './note-typing.ts';

/** Variables of other tools that hold credentials, by kind of location. */
const variables: Readonly<
  Partial<Record<LocationKind, Readonly<Partial<Record<keyof Credentials, string>>>>>
> = {
  s3: {
    accessKeyId: 'AWS_ACCESS_KEY_ID',
    secretAccessKey: 'AWS_SECRET_ACCESS_KEY',
    sessionToken: 'AWS_SESSION_TOKEN',
  },
  postgres: { password: 'PGPASSWORD' },
};

/**
 * Reads the credentials of a location: the JSON object in a file (`-`: standard input), else those in the variables of the AWS tools or of
 * libpq. Null without any. No secret is an argument, because other users of the machine see arguments.
 *
 * @throws ValidationError when the file cannot be read or is no JSON object with the names of the kind; the message contains no secret.
 */
export async function readCredentials(
  context: CommandContext,
  kind: LocationKind,
  file: string | undefined,
): Promise<Credentials | null> {
  if (file !== undefined) return parseCredentials(kind, parseJson(await readText(context, file), file));
  const found = Object.entries(variables[kind] ?? {}).flatMap(([name, variable]) => {
    const value = context.environment[variable] ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  return found.length === 0 ? null : parseCredentials(kind, snakeKeys(Object.fromEntries(found)));
}

async function readText(context: CommandContext, file: string): Promise<string> {
  if (file !== '-') {
    return readFile(file, 'utf8').catch((cause: unknown) => {
      throw new ValidationError(`--credentials ${file}: no such file, or permission denied.`, { cause });
    });
  }
  noteTyping(context);
  return (await buffer(context.stdin)).toString('utf8');
}

/** The error of the parser would quote the text, so it is left out. */
function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ValidationError(
      `--credentials ${file}: is not valid JSON. Write an object such as {"password": "…"}.`,
    );
  }
}
