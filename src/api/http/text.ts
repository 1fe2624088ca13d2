import { z } from '@hono/zod-openapi';

/** Matches text that Postgres cannot store: NUL, and an unpaired surrogate. */
const unstorable = /[\0\p{Cs}]/u;

/** Message for a text that cannot be stored. */
export const unstorableText = 'must not contain NUL or broken characters';

/** Schema of text that can be stored. */
export function text(): z.ZodString {
  return z.string().refine(isStorable, { error: unstorableText });
}

export function isStorable(value: string): boolean {
  return !unstorable.test(value);
}

/** Replaces characters that cannot be stored with U+FFFD, for display. */
export function withoutUnstorable(value: string): string {
  return value.replaceAll(new RegExp(unstorable, 'gu'), '\ufffd');
}
