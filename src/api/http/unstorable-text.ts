import type { ApiMiddleware } from './api-env.ts';
import { Problem } from './problem.ts';
import { isStorable, unstorableText, withoutUnstorable } from './text.ts';

/** Refuses a path with NUL in it: nothing of ours is called so. Half a character cannot stand in one. @throws Problem `not_found` */
export const rejectUnstorablePath: ApiMiddleware = async (c, next) => {
  if (new URL(c.req.url).pathname.includes('%00')) throw new Problem('not_found');
  await next();
};

/** Refuses a query with NUL in it. @throws Problem `validation_error` that names each field. */
export function rejectUnstorableQuery(url: string): void {
  if (!url.includes('%00')) return;
  const pairs = [...new URL(url).searchParams];
  reject(pairs.filter((pair) => !pair.every(isStorable)).map(([name]) => name));
}

/** Matches JSON escapes of text that cannot be stored. Valid UTF-8 holds half a character in no other way. */
const escaped = /\\u(?:0000|d[89a-f])/i;

/**
 * Refuses a JSON body, in UTF-8, with NUL or half a character in one of its texts or names. What is no JSON is left to others.
 *
 * @throws Problem `validation_error` that names each field by its path, the steps joined with dots.
 */
export function rejectUnstorableJson(body: Buffer): void {
  const text = body.toString();
  if (escaped.test(text)) reject(unstorableFields(parse(text)));
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The paths of all texts and names in a value that cannot be stored, without recursion: a body may be as deep as it is long. */
function unstorableFields(body: unknown): readonly string[] {
  const found: string[] = [];
  const left: { readonly at: string | null; readonly value: unknown }[] = [{ at: null, value: body }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { at, value } = next;
    if (typeof value === 'string' && !isStorable(value)) found.push(at ?? 'The body');
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, each] of Object.entries(value)) {
      const place = at === null ? name : `${at}.${name}`;
      if (isStorable(name)) left.push({ at: place, value: each });
      else found.push(place);
    }
  }
  return found;
}

/** An error is for people: how many fields it names, and how much of each. */
const fieldsMax = 10;
const nameCharsMax = 200;

function reject(fields: readonly string[]): void {
  if (fields.length === 0) return;
  const names = fields.slice(0, fieldsMax).map((field) => withoutUnstorable(field).slice(0, nameCharsMax));
  throw new Problem('validation_error', { titles: names.map((name) => `${name}: ${unstorableText}`) });
}
