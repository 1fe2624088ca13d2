import { z } from 'zod';
import { condition, holds, type Condition } from '../condition.ts';
import { jsonPath, valueAt, type JsonPath, type Step } from '../json-path.ts';
import { parseTemplate, fillTemplate, type TemplatePart } from './path-template.ts';

/** Origin of a value in a row. */
export type Where =
  | AtPath
  | { readonly kind: 'constant'; readonly constant: string; readonly if?: Condition }
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }
  | { readonly kind: 'first_of'; readonly options: readonly Where[] };

/** A value at a path. */
interface AtPath {
  readonly kind: 'path';
  readonly path: JsonPath;
  /** For a list: its first text, or all of its different texts with `between` between them. Absent: the value itself. */
  readonly take?: 'first' | 'all' | undefined;
  /** Path within each element of the list. */
  readonly of?: JsonPath | undefined;
  readonly between: string;
  /** Removes the query of a link, such as a signature that differs in every reply. */
  readonly without_query?: boolean | undefined;
  /** Whole numbers become texts. */
  readonly as?: 'text' | undefined;
  /** Our values by the vendor's; others stay as they are, or become `otherwise`. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly otherwise?: string | undefined;
}

const plain = jsonPath.transform((path): Where => ({ kind: 'path', path, between: '' }));

const atPath = z
  .strictObject({
    path: jsonPath,
    take: z.enum(['first', 'all']).optional(),
    of: jsonPath.optional(),
    between: z.string().default(', '),
    without_query: z.boolean().optional(),
    as: z.literal('text').optional(),
    values: z.record(z.string(), z.string()).optional(),
    otherwise: z.string().optional(),
  })
  .refine(({ take, of }) => take !== undefined || of === undefined, '"of" needs "take"')
  .transform((at): Where => ({ kind: 'path', ...at }));

const constant = z
  .strictObject({ constant: z.string().min(1), if: condition.optional() })
  .transform(({ constant: text, if: when }): Where => ({
    kind: 'constant',
    constant: text,
    ...(when === undefined ? {} : { if: when }),
  }));

const template = z
  .strictObject({ template: z.string().transform(parseTemplate) })
  .transform(({ template: parts }): Where => ({ kind: 'template', parts }));

const single = z.union([plain, atPath, constant, template]);

/** Schema of the origin of a value: a path, a constant, a text with paths in it, or the first of several that has a value. */
export const where = z.union(
  [
    single,
    z
      .strictObject({ first_of: z.array(single).min(1) })
      .transform(({ first_of: options }): Where => ({ kind: 'first_of', options })),
  ],
  'expected a path such as ads, or an object with path, constant, template or first_of',
);

/** Value of a row. Undefined: a key is missing. Null: there is none. A value of another kind than expected stays as it is. */
export function pick(row: unknown, from: Where): unknown {
  if (from.kind === 'path') return pickAt(row, from);
  if (from.kind === 'constant') return from.if === undefined || holds(from.if, row) ? from.constant : null;
  if (from.kind === 'template') return fillTemplate(from.parts, row);
  const picked = from.options.map((option) => pick(row, option));
  // A value of another kind than expected is never passed over.
  const first = picked.find((value) => isObject(value)) ?? picked.find((value) => !isMissing(value));
  if (first !== undefined) return first;
  return picked.every((value) => value === undefined) ? undefined : null;
}

/** All paths of an origin. */
export function pathsOf(from: Where): readonly JsonPath[] {
  if (from.kind === 'constant') return from.if === undefined ? [] : [from.if.path];
  if (from.kind === 'template') return from.parts.flatMap((part) => (typeof part === 'string' ? [] : [part]));
  if (from.kind === 'first_of') return from.options.flatMap(pathsOf);
  return [from.path, ...(from.of === undefined ? [] : [within(from.path, from.of)])];
}

/** Path of a value within each element of a list. */
export function within({ text, steps }: JsonPath, inner: JsonPath): JsonPath {
  const each: Step = { kind: 'each' };
  return { text: `${text}[].${inner.text}`, steps: [...steps, each, ...inner.steps] };
}

/** Null, absent, or a blank text. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function pickAt(row: unknown, from: AtPath): unknown {
  const { path, take, of, between, as, values, otherwise, without_query: isBare = false } = from;
  const given = valueAt(row, path);
  const value = take === undefined ? given : takeFrom(given, { take, of, between });
  if (!isScalar(value) || isMissing(value)) return value;
  const listed = values !== undefined && Object.hasOwn(values, String(value));
  const text = listed ? values[String(value)] : (otherwise ?? value);
  if (isBare && typeof text === 'string') return text.replace(/[?#].*$/s, '');
  return as === 'text' && Number.isSafeInteger(text) ? String(text) : text;
}

/** The first or all texts of a list. Anything else than a list of texts is returned as an object, which no field accepts. */
function takeFrom(given: unknown, { take, of, between }: Pick<AtPath, 'take' | 'of' | 'between'>): unknown {
  if (given === undefined || given === null) return given;
  if (!Array.isArray(given)) return { odd: given };
  const elements: readonly unknown[] = given;
  const texts = elements
    .map((element) => (of === undefined ? element : valueAt(element, of)))
    .filter((element) => !isMissing(element));
  if (!texts.every(isScalar)) return { odd: given };
  if (texts.length === 0) return null;
  return take === 'first' ? texts[0] : [...new Set(texts.map(String))].join(between);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
