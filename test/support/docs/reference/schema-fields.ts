import type { Schema } from '../../openapi/document.ts';
import { code, sentence } from './markdown-page.ts';

/** A schema of the OpenAPI document with its descriptive fields. */
export interface DescribedSchema extends Schema {
  readonly description?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly DescribedSchema[];
  readonly allOf?: readonly DescribedSchema[];
  readonly items?: DescribedSchema;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
}

/** A field of a body. */
interface BodyField {
  /** `rows.total`, or `batches[].id` for a field of each element. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** Fields of an object, with those of objects in it. Schemas with a name are linked, not repeated. */
export function fieldsOf(schema: DescribedSchema, before = ''): readonly BodyField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${before}${name}`;
    const meaning = [sentence(field.description ?? ''), constraintsOf(field)]
      .filter((part) => part !== '')
      .join(' ');
    return [
      { path, type: typeOf(field), isRequired: required.has(name), meaning },
      ...fieldsOf(field, `${path}.`),
      ...fieldsOf(field.items ?? {}, `${path}[].`),
    ];
  });
}

/** Type of a value: `string or null`, `array of [Row](#row)`. */
export function typeOf(schema: DescribedSchema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `[${name}](#${name.toLowerCase()})`;
  }
  const variants = schema.anyOf ?? schema.allOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(' or ');
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
    return schema.format === undefined || type === 'null' ? type : `${type} (${schema.format})`;
  });
  return types.length === 0 ? 'any value' : types.join(' or ');
}

/** Limits of a value in words: its choices, bounds, length, default and example. */
export function constraintsOf(schema: DescribedSchema): string {
  const choices = (schema.enum ?? schema.items?.enum ?? []).filter((value) => value !== null);
  const bounds = [
    textOf('at least', schema.minimum),
    textOf('more than', schema.exclusiveMinimum),
    textOf('at most', schema.maximum),
  ].filter((part) => part !== '');
  return [
    choices.length === 0
      ? ''
      : `One of ${choices.map((value) => code(typeof value === 'string' ? value : JSON.stringify(value))).join(', ')}.`,
    bounds.length === 0
      ? ''
      : sentence(`${bounds[0] ?? ''}${bounds[1] === undefined ? '' : `, ${bounds[1]}`}`),
    schema.maxLength === undefined ? '' : `At most ${number(schema.maxLength)} characters.`,
    schema.default === undefined ? '' : `Default: ${code(JSON.stringify(schema.default))}.`,
    typeof schema.example === 'string' ? `Example: ${code(schema.example)}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Omits a lower bound of 0. */
function textOf(words: string, bound: number | undefined): string {
  return bound === undefined || bound === 0 || Math.abs(bound) === Number.MAX_SAFE_INTEGER
    ? ''
    : `${words} ${number(bound)}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
