import { jsonPath, valueAt, type JsonPath } from '../json-path.ts';
import type { z } from 'zod';

/** A text, or a path whose value stands there. */
export type TemplatePart = string | JsonPath;

/** Parses a text with paths in braces: `https://ads.example/library?id={id}`. */
export function parseTemplate(text: string, context: z.RefinementCtx): readonly TemplatePart[] {
  return text.split(/(\{[^{}]*\})/).flatMap((part): readonly TemplatePart[] => {
    if (!part.startsWith('{')) return part === '' ? [] : [part];
    const parsed = jsonPath.safeParse(part.slice(1, -1));
    if (parsed.success) return [parsed.data];
    context.addIssue({ code: 'custom', message: `${part}: expected a path in the braces` });
    return [];
  });
}

/** Fills in the paths, percent-encoded. Null, or undefined with an absent key, if one has no value; an object if one is not a scalar. */
export function fillTemplate(parts: readonly TemplatePart[], row: unknown): unknown {
  const values = parts.map((part) => (typeof part === 'string' ? part : valueAt(row, part)));
  const missing = values.find((value) => value === undefined || value === null);
  if (values.includes(undefined)) return undefined;
  if (missing === null) return null;
  const texts = values.flatMap((value, i) => encoded(value, typeof parts[i] === 'string'));
  return texts.length === parts.length ? texts.join('') : { odd: values };
}

function encoded(value: unknown, isLiteral: boolean): readonly string[] {
  if (typeof value === 'string')
    return [isLiteral ? value : encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'))];
  return typeof value === 'number' ? [String(value)] : [];
}
