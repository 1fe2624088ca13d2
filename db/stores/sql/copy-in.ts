import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyText } from '../../../src/core/sql/copy-text.ts';

/**
 * Feeds lines of Postgres' text format to a `COPY … FROM STDIN`, several per chunk of text; chunks are not empty.
 *
 * @throws the errors of the input, unchanged, and those of the driver.
 */
export async function copyIn(
  client: ClientBase,
  statement: string,
  pieces: AsyncIterable<string> | Iterable<string | Uint8Array>,
): Promise<void> {
  await pipeline(Readable.from(pieces, { objectMode: true }), client.query(copyFrom(statement)));
}

/** Texts and nulls as an array in one field of a line. */
export function copyTexts(values: readonly (string | null)[]): string {
  return `{${values.map(copyElement).join(',')}}`;
}

/** The same; NULL instead of an array without any text. */
export function copyTextsUnlessNull(values: readonly (string | null)[]): string {
  return values.every((value) => value === null) ? '\\N' : copyTexts(values);
}

/** Quoted for the array, then escaped for the line. */
function copyElement(value: string | null): string {
  if (value === null) return 'NULL';
  if (!specialInArray.test(value)) return `"${value}"`;
  return copyText(`"${value.replace(/["\\]/g, '\\$&')}"`);
}

const specialInArray = /["\\\t\n\r]/;
