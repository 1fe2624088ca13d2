import { bytesText } from './bytes-text.ts';

/**
 * Returns a value of a typed format as a value of JSON: 64-bit integers and moments as text, bytes as text or in hexadecimal, missing values
 * as null, and lists of Parquet without the groups that hold their elements.
 */
export function plainValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainElement);
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined && listGroups.has(first[0]) && Array.isArray(first[1]))
    return plainValue(first[1]);
  return Object.fromEntries(entries.map(([key, member]) => [key, plainValue(member)]));
}

/** Names of the repeated group of a list, and of its element (parquet-format, LogicalTypes.md, backward compatibility). */
const listGroups = new Set(['list', 'bag', 'array']);
const elementNames = new Set(['element', 'item', 'array', 'array_element']);

function plainElement(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    const [first, ...others] = Object.entries(value);
    if (first !== undefined && others.length === 0 && elementNames.has(first[0])) return plainValue(first[1]);
  }
  return plainValue(value);
}
