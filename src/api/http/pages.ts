import { z } from '@hono/zod-openapi';
import { text } from './text.ts';
import { Problem } from './problem.ts';

/** Query parameters of a page; the cursor of some lists is longer than that of others. */
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
        description: `How many at most, up to ${limitMax}.`,
      }),
    after: text()
      .max(afterCharsMax)
      .optional()
      .openapi({ description: 'Go on after a page: what it said as `next`.' }),
  };
}

/** Cuts a page to its limit and computes `next`: null when nothing follows. The query asks for one more than the limit. */
export function cutPage<T>(
  found: readonly T[],
  limit: number,
  nextOf: (last: T) => string,
): { readonly items: readonly T[]; readonly next: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? nextOf(last) : null };
}

/** A cursor that is a number; null where the first page is asked for. */
export function numberCursor(after: string | undefined): bigint | null {
  if (after === undefined) return null;
  if (!/^\d{1,18}$/.test(after)) throw badCursor();
  return BigInt(after);
}

/** A cursor that is none of ours. */
export function badCursor(): Problem {
  return new Problem('validation_error', { titles: ['after: is not what a page said as `next`'] });
}
