import { z } from 'zod';

/** A setting, as docs/reference/configuration.md and `nightshift config` show it. */
export interface Setting {
  readonly name: string;
  readonly unit: string;
  readonly defaultText: string;
  readonly what: string;
  readonly secret: boolean;
}

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export const seconds = z.coerce.number().positive();
export const port = z.coerce.number().int().min(0).max(65_535);
export const wholeNumber = z.coerce.number().int().positive();
export const address = (protocols: readonly string[]) =>
  z.string().refine((text) => protocols.some((protocol) => text.startsWith(`${protocol}://`)), {
    error: `must begin with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
    abort: true,
  });
/** Addresses of a server with its login. What is wrong in them is not quoted: they hold a password. */
export const postgresAddress = address(['postgres', 'postgresql']).refine(isReadable, {
  error:
    'is no address that can be read. The form is postgres://USER:PASSWORD@HOST:PORT/DATABASE; in a password, characters such as # / ? @ : % ' +
    'are written as %23 %2F %3F %40 %3A %25',
});
export const webAddress = address(['http', 'https']).refine((text) => URL.canParse(text), {
  error: 'must be an address such as https://api.example.com',
});
export const baseAddress = address(['http', 'https']).refine(
  (text) => !text.endsWith('/') && URL.canParse(text),
  {
    error: 'must be an address without a slash at the end',
  },
);
export const mailAddress = z
  .string()
  .regex(/^[^\s@<>",;:]+@[^\s@<>",;:]+$/, { error: 'must be an address such as nightshift@example.com' });
export const minutesList = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?){0,9}$/, { error: 'must be up to ten numbers separated by commas' });
export const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');
export const credits = z
  .string()
  .regex(/^\d+(\.\d{1,6})?$/, { error: 'must be an amount of credits such as 1000 or 0.2' });

function isReadable(text: string): boolean {
  try {
    const { username, password, pathname } = new URL(text);
    [username, password, pathname].forEach(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
}

/** A setting without its name: the schema of its value, and its description. */
export interface Described<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly about: Omit<Setting, 'name' | 'secret'> & { readonly secret?: boolean };
}

/** Describes a setting. */
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  about: Described<Schema>['about'],
): Described<Schema> {
  return { schema, about };
}

/** One sentence where only some of several settings are given that are of no use without each other. */
export function halfSet(
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): readonly string[] {
  const set = names.filter((name) => name in given);
  if (set.length === 0 || set.length === names.length) return [];
  return [`${names.join(', ')} go together: set all of them or none.`];
}
