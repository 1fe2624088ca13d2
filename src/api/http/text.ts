import { z } from '@hono/zod-openapi';

/** Matches text that Postgres cannot store: NUL, and half of a surrogate pair, which is no character. */
const unstorable = /[\0\p{Cs}]/u;

/** Message for a text that cannot be stored. */
export const unstorableText = 'must not contain NUL or broken characters';

/** Text that can be stored. */
export function text(): z.ZodString {
  return z.string().refine(isStorable, { error: unstorableText });
}

export function isStorable(value: string): boolean {
  return !unstorable.test(value);
}

/** The text with U+FFFD for whatever cannot be stored, so that people can be shown it. */
export function withoutUnstorable(value: string): string {
  return value.replaceAll(new RegExp(unstorable, 'gu'), '\ufffd');
}
