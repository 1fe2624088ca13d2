import { z } from 'zod';
import { isDay } from '../../core/time/day.ts';
import { SourceUnreadable } from '../../core/errors.ts';

/** Maximum of a Postgres `integer`: a larger size is invalid, and would make the whole commit fail. */
const sizePxMax = 2_147_483_647;
/** Ids of known servers have 22 characters. The bound keeps them within a Postgres index entry. */
const idLengthMax = 256;

/** Text as Postgres can store it: NUL characters and lone surrogates become U+FFFD, everything else stays as it is. */
export const text = z
  .string()
  .transform((value) => value.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD'));

/** An advertiser's or a creative's id. */
export const id = text.pipe(z.string().min(1).max(idLengthMax));

/** URL with `http` or `https`. */
export const webAddress = text.pipe(z.url({ protocol: /^https?$/ }));

/** A day, `YYYY-MM-DD`. */
export const day = z.string().refine(isDay, 'expected a date that exists, YYYY-MM-DD');

/** A width or a height in pixels. */
export const size = z.int().min(0).max(sizePxMax);

/** The UTC day of a moment in seconds since 1970. */
export const dayOfSeconds = z
  .int()
  .min(0)
  .max(253_402_300_799)
  .transform((seconds) => new Date(seconds * 1000).toISOString().slice(0, 10));

/**
 * A field that says something beside the content of an ad. In another form it counts as absent: what stands beside never makes a reply
 * unreadable that has been paid for.
 */
export function beside<T extends z.ZodType>(field: T) {
  return field.optional().catch(undefined);
}

/** Number of days, or of ads. */
export const count = z.int().min(0);

/**
 * Parses a JSON reply of an agreed shape.
 *
 * @throws SourceUnreadable that names the source and the path of the first invalid field: `ads[3].variants[0].content`.
 */
export function readReply<T>(source: string, shape: z.ZodType<T>, reply: string): T {
  return readValue(source, shape, parseJson(source, reply));
}

/** Parses a JSON value that was decoded before. */
export function readValue<T>(source: string, shape: z.ZodType<T>, value: unknown): T {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue === undefined || issue.path.length === 0 ? 'body' : formatPath(issue.path);
  throw unreadableAt(source, path, issue?.message ?? 'unknown', parsed.error);
}

/** Error of a reply that does not have the agreed form at `path`. */
export function unreadableAt(source: string, path: string, what: string, cause?: unknown): SourceUnreadable {
  const message = `The source ${source} answered in an unknown shape: ${path}: ${what}`;
  return new SourceUnreadable(message, cause === undefined ? {} : { cause });
}

function parseJson(source: string, reply: string): unknown {
  try {
    const value: unknown = JSON.parse(reply);
    return value;
  } catch (error) {
    throw new SourceUnreadable(`The source ${source} answered something that is not JSON`, { cause: error });
  }
}

/** `['ads', 3, 'variants', 0, 'content']` → `ads[3].variants[0].content` */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
