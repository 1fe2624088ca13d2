import { z } from '@hono/zod-openapi';

/** What Postgres cannot store: NUL, and half of a surrogate pair, which is no character. */
const unstorable = /[\0\p{Cs}]/u;

/** Text that can be stored. */
export function text(): z.ZodString {
  return z.string().refine(isStorable, { error: 'must not contain NUL or broken characters' });
}

export function isStorable(value: string): boolean {
  return !unstorable.test(value);
}
