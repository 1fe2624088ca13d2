import { z } from 'zod';

/** One step into a JSON value: a key, an index of an array, or every element of it. */
export type Step =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'place'; readonly place: number }
  | { readonly kind: 'each' };

/** Path to a value in JSON. */
export interface JsonPath {
  /** As written. */
  readonly text: string;
  readonly steps: readonly Step[];
}

/** `$` or a key, then keys after dots; indexes in brackets after any of them. */
const form = /^[^.[\]]+(\[\d*\])*(\.[^.[\]]+(\[\d*\])*)*$/;
const part = /\[(\d*)\]|([^.[\]]+)/g;

/**
 * A path as an operator writes it: `pagination.next_page_token`, `variations[0].image`, `pages[].ads` for the ads of every
 * page, and `$` for the whole value.
 */
export const jsonPath = z.string().transform((text, context): JsonPath => {
  if (form.test(text)) return parse(text);
  context.addIssue({
    code: 'custom',
    message: 'expected a path such as ads, data.items[0].ads, or $ for the whole reply',
  });
  return z.NEVER;
});

function parse(text: string): JsonPath {
  const steps = [...text.matchAll(part)].map(([, place, key = '']): Step => {
    if (place === undefined) return { kind: 'key', key };
    return place === '' ? { kind: 'each' } : { kind: 'place', place: Number(place) };
  });
  const [root] = steps;
  return { text, steps: root?.kind === 'key' && root.key === '$' ? steps.slice(1) : steps };
}

/** Value at a path. Undefined: absent. Null: a null there or on the way to it. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return walk(value, path.steps);
}

function walk(value: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (step === undefined || value === null) return value;
  if (step.kind === 'key') return walk(ownValue(value, step.key), rest);
  if (!Array.isArray(value)) return undefined;
  const elements: readonly unknown[] = value;
  return step.kind === 'place'
    ? walk(elements[step.place], rest)
    : elements.flatMap((element) => walk(element, rest));
}

/** Only own keys of objects: every object has a `constructor`, and arrays and texts have a `length`. */
function ownValue(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && !Array.isArray(value);
  return isObject ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}
