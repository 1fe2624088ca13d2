import type { ParquetParsers, SchemaElement } from 'hyparquet/src/types.js';
import { bytesText } from '../cells/bytes-text.ts';
import { numberText } from '../cells/number-text.ts';
import type { ParquetColumn } from './plain-schema.ts';
import { dayText, timestampText, timeText, type TimeUnits } from './temporal-text.ts';

/** Converter of the stored values of a column to text. Missing values become empty. */
export type ColumnText = (value: unknown) => string;

/** Parsers for the values within lists, maps and structures, whose logical types the library resolves. */
export const nestedParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value: bigint) => timestampText(value, 1_000n) ?? value,
  timestampFromMicroseconds: (value: bigint) => timestampText(value, 1_000_000n) ?? value,
  timestampFromNanoseconds: (value: bigint) => timestampText(value, 1_000_000_000n) ?? value,
  dateFromDays: (value: number | undefined) =>
    value === undefined ? value : (dayText(BigInt(value)) ?? value),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString(),
};

/** Returns the converter for a column, by its logical type (parquet-format, LogicalTypes.md). */
export function columnText({ element, isNested }: ParquetColumn): ColumnText {
  const convert = isNested ? nestedText : flatText(element);
  return (value) => (value === undefined || value === null ? '' : convert(value));
}

function flatText(element: SchemaElement): ColumnText {
  const { converted_type: converted, logical_type: logical } = element;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = logical?.type === 'DECIMAL' ? logical.scale : (element.scale ?? 0);
    return (value) => decimalText(integerOf(value), scale);
  }
  if (converted === 'DATE' || logical?.type === 'DATE')
    return (value) => dayText(integerOf(value)) ?? String(value);
  if (logical?.type === 'TIME') return (value) => timeText(integerOf(value), unitsOf[logical.unit]);
  if (logical?.type === 'TIMESTAMP') {
    const zone = logical.isAdjustedToUTC ? 'Z' : '';
    return (value) => withZone(timestampText(integerOf(value), unitsOf[logical.unit]), zone, value);
  }
  if (converted === 'TIME_MILLIS') return (value) => timeText(integerOf(value), 1_000n);
  if (converted === 'TIME_MICROS') return (value) => timeText(integerOf(value), 1_000_000n);
  // The older types are in UTC (parquet-format, LogicalTypes.md).
  if (converted === 'TIMESTAMP_MILLIS')
    return (value) => withZone(timestampText(integerOf(value), 1_000n), 'Z', value);
  if (converted === 'TIMESTAMP_MICROS')
    return (value) => withZone(timestampText(integerOf(value), 1_000_000n), 'Z', value);
  return element.type === 'FLOAT' ? singleText : scalarText;
}

const unitsOf: Readonly<Record<'MILLIS' | 'MICROS' | 'NANOS', TimeUnits>> = {
  MILLIS: 1_000n,
  MICROS: 1_000_000n,
  NANOS: 1_000_000_000n,
};

function withZone(text: string | null, zone: string, value: unknown): string {
  return text === null ? String(value) : text + zone;
}

/** Returns the integer of an INT32, an INT64, or big-endian bytes in two's complement. */
function integerOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return typeof value === 'bigint' ? value : BigInt(Number(value));
  if (value.length === 0) return 0n;
  return BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString('hex')}`));
}

/** Maximum scale that is written out; the largest precision in use is 76. */
const scaleMax = 1_000;

function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0 || scale > scaleMax) return scale === 0 ? String(unscaled) : `${unscaled}e${-scale}`;
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns the shortest text of a number of 32 bits, such as `0.1` for 0.10000000149011612. */
function singleText(value: unknown): string {
  const number = Number(value);
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return scalarText(short);
  }
  return scalarText(number);
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  // Not a number is how tables of numbers say that a value is missing.
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  // Texts of older writers have no logical type.
  if (value instanceof Uint8Array) return bytesText(value);
  return nestedText(value);
}

/** Returns a list, a map or a structure as JSON. Integers keep all digits; the nesting is that of the schema, which is limited. */
function nestedText(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(String(value)) : 'null';
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) return JSON.stringify(bytesText(value));
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${value.map(nestedText).join(',')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${nestedText(member)}`,
  );
  return `{${members.join(',')}}`;
}
