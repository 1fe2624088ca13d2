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

/** A setting: how it is read, and what is said of it. */
export function setting<T extends z.ZodType>(
  schema: T,
  about: Omit<Setting, 'name' | 'secret'> & { secret?: boolean },
) {
  return { schema, about };
}
