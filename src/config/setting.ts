import { z } from 'zod';
import { Misconfigured } from '../core/errors.ts';
import { findUrlMistake, findWriterMistake } from '../core/postgres-url.ts';
import { parseSpend } from '../core/sources/spend.ts';
import { parseRedisAddress } from '../core/work/redis-address.ts';

/** Setting, as docs/reference/configuration.md and `nightshift config` show it. */
export interface Setting {
  readonly name: string;
  readonly unit: string;
  readonly defaultText: string;
  readonly what: string;
  readonly secret: boolean;
}

/** Log levels, in ascending detail. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
/** Positive number of seconds. */
export const seconds = z.coerce.number().positive();
/** Port number; 0 for any free port. */
export const port = z.coerce.number().int().min(0).max(65_535);
/** Integer. */
export const integer = z.coerce.number().int();
/** Positive integer. */
export const wholeNumber = integer.positive();
/** URL with one of the protocols. */
export const address = (protocols: readonly string[]) =>
  z.string().refine((text) => protocols.some((protocol) => text.startsWith(`${protocol}://`)), {
    error: `must begin with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
    abort: true,
  });
/** URL of Postgres in which a function finds no mistake. An error does not quote the value, which contains a password. */
const postgresUrl = (findMistake: (text: string) => string | null) =>
  address(['postgres', 'postgresql']).refine((text) => findMistake(text) === null, {
    error: ({ input }) => findMistake(String(input)) ?? '',
  });
/** URL of one or more Postgres servers. */
export const postgresAddress = postgresUrl(findUrlMistake);
/** URL of Postgres for a login that writes. */
export const writerAddress = postgresUrl(findWriterMistake);
/** URL of Redis, of a cluster or of sentinels. An error does not quote the value, which contains a password. */
export const redisAddress = z.string().superRefine((text, context) => {
  try {
    parseRedisAddress(text);
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});
/** http(s) URL. */
export const webAddress = address(['http', 'https']).refine((text) => URL.canParse(text), {
  error: 'must be an address such as https://api.example.com',
});
/** http(s) URL without a slash at the end. */
export const baseAddress = address(['http', 'https']).refine(
  (text) => !text.endsWith('/') && URL.canParse(text),
  {
    error: 'must be a URL without a slash at the end',
  },
);
/** E-mail address. */
export const mailAddress = z.string().regex(/^[^\s@<>",;:]+@[^\s@<>",;:]+$/, {
  error: 'must be an e-mail address such as nightshift@example.com',
});
/** Up to ten numbers of minutes, separated by commas. */
export const minutesList = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?){0,9}$/, { error: 'must be up to ten numbers separated by commas' });
/** Absolute folders, separated by commas. */
export const folderList = z.string().refine((text) => splitFolders(text).every(isPlainFolder), {
  error: 'must be absolute folders separated by commas, without ".." in them',
});
/** `true` or `false`. */
export const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');
/** Amount in a currency as text. */
export const spend = z.string().refine((text) => parseSpend(text) !== null, {
  error: 'must be an amount above 0 with the currency of the price, such as 10USD',
});
/** Amount of credits as decimal text. */
export const credits = z
  .string()
  .regex(/^\d+(\.\d{1,6})?$/, { error: 'must be an amount of credits such as 1000 or 0.2' });

/** Splits a list of folders; each is without a slash at its end. */
export function splitFolders(text: string): readonly string[] {
  const folders = text.split(',').map((folder) => folder.trim());
  return [...new Set(folders.map((folder) => folder.replace(/(?<=.)\/+$/, '')))].filter(
    (folder) => folder !== '',
  );
}

function isPlainFolder(folder: string): boolean {
  return folder.startsWith('/') && !folder.split('/').some((part) => part === '.' || part === '..');
}

/** A setting without its name: the schema of its value, and its description. */
export interface Described<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly about: Omit<Setting, 'name' | 'secret'> & { readonly secret?: boolean };
}

/** Creates a setting from its schema and its description. */
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  about: Described<Schema>['about'],
): Described<Schema> {
  return { schema, about };
}

/** Reports settings that must be set together but are not. */
export function halfSet(
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): readonly string[] {
  const set = names.filter((name) => name in given);
  if (set.length === 0 || set.length === names.length) return [];
  return [`${names.join(', ')} must be set together. Set all of them or none.`];
}
