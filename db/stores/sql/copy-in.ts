import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/**
 * Feeds lines of Postgres' text format to a `COPY … FROM STDIN`, several per chunk of text; chunks are not empty.
 *
 * @throws the errors of the input, unchanged, and those of the driver.
 */
export async function copyIn(
  client: ClientBase,
  statement: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  await pipeline(Readable.from(pieces, { objectMode: true }), client.query(copyFrom(statement)));
}

/** A text or null as a field of a line. */
export function copyText(value: string | null): string {
  if (value === null) return '\\N';
  return special.test(value) ? value.replace(specials, escape) : value;
}

/** Texts as an array in one field of a line. */
export function copyTexts(values: readonly string[]): string {
  return `{${values.map(copyElement).join(',')}}`;
}

/** Quoted for the array, then escaped for the line. */
function copyElement(value: string): string {
  if (!specialInArray.test(value)) return `"${value}"`;
  return copyText(`"${value.replace(/["\\]/g, '\\$&')}"`);
}

function escape(character: string): string {
  return escapes[character] ?? character;
}

const special = /[\\\t\n\r]/;
const specials = /[\\\t\n\r]/g;
const specialInArray = /["\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
