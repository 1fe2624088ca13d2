import type { ApiMiddleware } from './api-env.ts';
import { Problem } from './problem.ts';
import { isStorable, unstorableText, withoutUnstorable } from './text.ts';

/**
 * Rejects a path that contains NUL, because no resource has such an id. A path cannot contain an unpaired surrogate. @throws Problem
 * `not_found`
 */
export const rejectUnstorablePath: ApiMiddleware = async (c, next) => {
  if (new URL(c.req.url).pathname.includes('%00')) throw new Problem('not_found');
  await next();
};

/** Rejects a query that contains NUL. @throws Problem `validation_error` that names each field. */
export function rejectUnstorableQuery(url: string): void {
  if (!url.includes('%00')) return;
  const pairs = [...new URL(url).searchParams];
  reject(pairs.filter((pair) => !pair.every(isStorable)).map(([name]) => name));
}

/** Matches JSON escapes of text that cannot be stored. Valid UTF-8 cannot contain an unpaired surrogate in any other way. */
const escaped = /\\u(?:0000|d[89a-f])/i;

/**
 * Rejects a JSON body, in UTF-8, with NUL or an unpaired surrogate in a string or a name. Invalid JSON passes: the route rejects it.
 *
 * @throws Problem `validation_error` that names each field by its path, the steps joined with dots.
 */
export function rejectUnstorableJson(body: Buffer): void {
  const text = body.toString();
  if (escaped.test(text)) reject(unstorableFields(parse(text)));
}

/** Parses JSON. Undefined for invalid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Finds the paths of all strings and names in a value that cannot be stored. Not recursive: a body can be as deep as it is long. */
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

/** Maximum number of fields that an error names, and of characters of each. */
const fieldsMax = 10;
const nameCharsMax = 200;

function reject(fields: readonly string[]): void {
  if (fields.length === 0) return;
  const names = fields.slice(0, fieldsMax).map((field) => withoutUnstorable(field).slice(0, nameCharsMax));
  throw new Problem('validation_error', { titles: names.map((name) => `${name}: ${unstorableText}`) });
}
