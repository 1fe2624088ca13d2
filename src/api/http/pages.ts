import { z } from '@hono/zod-openapi';
import { text } from './text.ts';
import { Problem } from './problem.ts';

/** Query parameters of a page. Some lists have longer cursors than others. */
export function pageQuery(limitMax: number, limitDefault: number, afterCharsMax = 200) {
  return {
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limitMax)
      .default(limitDefault)
      .openapi({
        type: 'integer',
        minimum: 1,
        maximum: limitMax,
        default: limitDefault,
        description: `Maximum number of items to return, from 1 to ${limitMax}.`,
      }),
    after: text()
      .max(afterCharsMax)
      .optional()
      .openapi({ description: 'Cursor of the next page: the `next` of the page before.' }),
  };
}

/** Field `next` of a page. */
export const nextCursor = z
  .string()
  .nullable()
  .openapi({ description: 'Cursor of the next page, for `after`. Null on the last page.' });

/** Cuts a page to its limit and computes `next`: null when nothing follows. The query fetches one item more than the limit. */
export function cutPage<T>(
  found: readonly T[],
  limit: number,
  nextOf: (last: T) => string,
): { readonly items: readonly T[]; readonly next: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? nextOf(last) : null };
}

/** Parses a numeric cursor. Null for the first page. */
export function numberCursor(after: string | undefined): bigint | null {
  if (after === undefined) return null;
  if (!/^\d{1,18}$/.test(after)) throw badCursor();
  return BigInt(after);
}

/** Formats the values of a place in a list as an opaque cursor. */
export function formatCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Parses a cursor of `formatCursor`. @throws Problem */
export function parseCursor<Place>(after: string, schema: z.ZodType<Place>): Place {
  const parsed = schema.safeParse(parseJson(Buffer.from(after, 'base64url').toString('utf8')));
  if (!parsed.success) throw badCursor();
  return parsed.data;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw badCursor();
  }
}

/** Creates the problem of an invalid cursor. */
export function badCursor(): Problem {
  return new Problem('validation_error', { titles: ['after: must be the `next` of an earlier page'] });
}
