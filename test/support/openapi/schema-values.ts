import fc from 'fast-check';
import { followRef, type Document, type Schema } from './document.ts';

/** Text of every kind in JSON: plain, from all planes, with NUL and control characters, with lone surrogates. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 10 }),
  fc.string({ unit: fc.constantFrom('\0', '\u001f', '\ud800', '\udfff', '\ufeff', '﷽', 'a'), maxLength: 6 }),
);

/** Values that a schema of the document allows. Examples of the schema are frequent, because generated text is rarely a company. */
export function valuesOf(document: Document, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(document, followRef(document, schema.$ref) as Schema);
  const made = synthetic(document, schema);
  return schema.example === undefined ? made : fc.oneof(fc.constant(schema.example), made);
}

function synthetic(document: Document, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return fc.jsonValue();
  return fc.oneof(...types.map((type) => ofType(document, schema, type)));
}

function ofType(document: Document, schema: Schema, type: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer(boundsOf(schema)));
    case 'number':
      return fc.oneof(
        fc.constantFrom(0.2, 1, 1.5, 1000),
        fc.double({ ...boundsOf(schema), noNaN: true, noDefaultInfinity: true }),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(document, schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: 4,
      });
    case 'object':
      return objectOf(document, schema);
    default:
      throw new Error(`There are no values of the type ${type}.`);
  }
}

function boundsOf({ minimum, exclusiveMinimum, maximum }: Schema): { min: number; max: number } {
  const above = exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1e-6;
  return { min: minimum ?? above ?? -(2 ** 31), max: maximum ?? 2 ** 31 - 1 };
}

function textOf({ format, minLength = 0, maxLength = 10_000 }: Schema): fc.Arbitrary<string> {
  if (format === 'date') return anyDay;
  if (format === 'date-time') return anyTime;
  return anyText.filter((text) => text.length <= maxLength && [...text].length >= minLength);
}

const years = {
  min: new Date('0000-01-01T00:00:00Z'),
  max: new Date('9999-12-31T00:00:00Z'),
  noInvalidDate: true,
};
const anyTime = fc.date(years).map((time) => time.toISOString());
const anyDay = anyTime.map((time) => time.slice(0, 10));

function objectOf(document: Document, schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valuesOf(document, each)])),
    { requiredKeys: [...required] },
  );
  if (typeof additionalProperties !== 'object') return known;
  const others = fc.dictionary(anyText, valuesOf(document, additionalProperties), { maxKeys: 4 });
  return fc.tuple(known, others).map(([own, more]) => ({ ...more, ...own }));
}
