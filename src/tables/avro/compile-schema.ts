import { bytesText } from '../cells/bytes-text.ts';
import { dayText, timestampText, timeText, type TimeUnits } from '../parquet/temporal-text.ts';
import { readByte, readBytes, readItems, readLength, readLong, type ByteCursor } from './byte-cursor.ts';
import { DamagedAvro } from './damaged-avro.ts';

/** Reader of a value, as a value of JSON. @throws DamagedAvro */
export type ReadValue = (cursor: ByteCursor) => unknown;

interface Scope {
  /** Readers of the types that have a name, by their full names. */
  readonly named: Map<string, ReadValue>;
  readonly namespace: string;
}

/** Nesting of a value. The public tables have four levels. */
const depthMax = 100;

/**
 * Compiles a schema (Avro 1.12, Schema Declaration) to a reader of its values: 64-bit integers, days and moments become text, bytes text or
 * hexadecimal, and a union the value itself.
 *
 * @throws DamagedAvro when the schema is invalid.
 */
export function compileSchema(schema: unknown): ReadValue {
  return compile(schema, { named: new Map(), namespace: '' });
}

function compile(schema: unknown, scope: Scope): ReadValue {
  if (typeof schema === 'string') return findNamed(schema, scope);
  if (Array.isArray(schema)) return compileUnion(schema, scope);
  if (!isObject(schema)) throw invalidSchema(schema);
  const { type, logicalType } = schema;
  const logical = typeof logicalType === 'string' ? logicalReaders[`${String(type)} ${logicalType}`] : null;
  if (logical) return logical;
  if (type === 'record' || type === 'error') return compileRecord(schema, scope);
  if (type === 'enum') return compileEnum(schema, scope);
  if (type === 'fixed') return compileFixed(schema, scope);
  if (type === 'array') return compileArray(schema, scope);
  if (type === 'map') return compileMap(schema, scope);
  return compile(type, scope);
}

function findNamed(name: string, scope: Scope): ReadValue {
  const primitive = primitives[name];
  if (primitive !== undefined) return primitive;
  const found = scope.named.get(fullName(name, scope)) ?? scope.named.get(name);
  if (found === undefined) throw invalidSchema(name);
  return found;
}

const primitives: Readonly<Record<string, ReadValue>> = {
  null: () => null,
  boolean: (cursor) => readByte(cursor) !== 0,
  int: (cursor) => Number(readLong(cursor)),
  long: (cursor) => String(readLong(cursor)),
  float: (cursor) => readBytes(cursor, 4).readFloatLE(),
  double: (cursor) => readBytes(cursor, 8).readDoubleLE(),
  bytes: (cursor) => bytesText(readBytes(cursor, readLength(cursor))),
  string: (cursor) => readBytes(cursor, readLength(cursor)).toString(),
};

const logicalReaders: Readonly<Record<string, ReadValue>> = {
  'int date': (cursor) => textOr(readLong(cursor), dayText),
  'int time-millis': (cursor) => timeText(readLong(cursor), 1_000n),
  'long time-micros': (cursor) => timeText(readLong(cursor), 1_000_000n),
  'long timestamp-millis': readTimestamp(1_000n),
  'long timestamp-micros': readTimestamp(1_000_000n),
  'long timestamp-nanos': readTimestamp(1_000_000_000n),
  'long local-timestamp-millis': readTimestamp(1_000n),
  'long local-timestamp-micros': readTimestamp(1_000_000n),
};

function readTimestamp(units: TimeUnits): ReadValue {
  return (cursor) => textOr(readLong(cursor), (value) => timestampText(value, units));
}

function textOr(value: bigint, toText: (value: bigint) => string | null): string {
  return toText(value) ?? String(value);
}

function compileUnion(branches: readonly unknown[], scope: Scope): ReadValue {
  const readers = branches.map((branch) => compile(branch, scope));
  return (cursor) => {
    const index = Number(readLong(cursor));
    const read = readers[index];
    if (read === undefined) throw new DamagedAvro(`a value has the type ${index} of ${readers.length}`);
    return read(cursor);
  };
}

function compileRecord(schema: Readonly<Record<string, unknown>>, scope: Scope): ReadValue {
  const { fields } = schema;
  if (!Array.isArray(fields)) throw invalidSchema(schema);
  const inner = define(schema, scope, readRecord);
  const readers = (fields as readonly unknown[]).map((field): readonly [string, ReadValue] => {
    if (!isObject(field) || typeof field['name'] !== 'string') throw invalidSchema(field);
    return [field['name'], compile(field['type'], inner)];
  });

  function readRecord(cursor: ByteCursor): unknown {
    if (cursor.depth >= depthMax) throw new DamagedAvro('a value is nested too deep');
    cursor.depth += 1;
    const row = Object.fromEntries(readers.map(([name, read]) => [name, read(cursor)]));
    cursor.depth -= 1;
    return row;
  }

  return readRecord;
}

function compileEnum(schema: Readonly<Record<string, unknown>>, scope: Scope): ReadValue {
  const { symbols } = schema;
  if (!Array.isArray(symbols)) throw invalidSchema(schema);
  const readEnum: ReadValue = (cursor) => {
    const symbol: unknown = symbols[Number(readLong(cursor))];
    if (typeof symbol !== 'string') throw new DamagedAvro('a value is none of its enumeration');
    return symbol;
  };
  define(schema, scope, readEnum);
  return readEnum;
}

function compileFixed(schema: Readonly<Record<string, unknown>>, scope: Scope): ReadValue {
  const { size } = schema;
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 0) throw invalidSchema(schema);
  const readFixed: ReadValue = (cursor) => bytesText(readBytes(cursor, size));
  define(schema, scope, readFixed);
  return readFixed;
}

function compileArray({ items }: Readonly<Record<string, unknown>>, scope: Scope): ReadValue {
  const read = compile(items, scope);
  return (cursor) => {
    const values: unknown[] = [];
    for (let count = readItems(cursor); count > 0; count = readItems(cursor))
      for (let item = 0; item < count; item += 1) values.push(read(cursor));
    return values;
  };
}

function compileMap({ values }: Readonly<Record<string, unknown>>, scope: Scope): ReadValue {
  const read = compile(values, scope);
  const readKey = compile('string', scope);
  return (cursor) => {
    const entries: [string, unknown][] = [];
    for (let count = readItems(cursor); count > 0; count = readItems(cursor))
      for (let item = 0; item < count; item += 1) entries.push([String(readKey(cursor)), read(cursor)]);
    return Object.fromEntries(entries);
  };
}

/** Makes a type known by its name; returns the scope inside it. */
function define(schema: Readonly<Record<string, unknown>>, scope: Scope, read: ReadValue): Scope {
  const { name, namespace } = schema;
  if (typeof name !== 'string') throw invalidSchema(schema);
  const within = typeof namespace === 'string' ? { ...scope, namespace } : scope;
  const full = fullName(name, within);
  scope.named.set(full, read);
  return { ...scope, namespace: full.includes('.') ? full.slice(0, full.lastIndexOf('.')) : '' };
}

function fullName(name: string, { namespace }: Scope): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`;
}

function invalidSchema(schema: unknown): DamagedAvro {
  return new DamagedAvro(`its schema has an unknown type (${JSON.stringify(schema ?? null).slice(0, 80)})`);
}

/** True for an object of JSON that is no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
