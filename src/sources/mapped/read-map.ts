import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { Misconfigured } from '../../core/errors.ts';
import { checkMap } from './map-checks.ts';
import { mapShape, type SourceMap } from './map-shape.ts';

/** Maximum number of errors per message. */
const shownMax = 5;

/**
 * Reads the map of a vendor's API from a JSON file (`examples/sources`), which the setting names.
 *
 * @throws Misconfigured that names the file and, for each error, its place and the expected value. Values are not quoted,
 * because a key may have been written in the wrong place.
 */
export async function readSourceMap(file: string, setting = 'NIGHTSHIFT_MAPPED_FILE'): Promise<SourceMap> {
  return parseSourceMap(await readText(file, setting), file);
}

/** Parses the text of a file, as `readSourceMap` does. */
export function parseSourceMap(text: string, file: string): SourceMap {
  const parsed = mapShape.superRefine(checkMap).safeParse(parseJson(text, file));
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map(describe);
  const more = mistakes.length > shownMax ? [`and ${mistakes.length - shownMax} more`] : [];
  throw new Misconfigured(
    `The source map ${file} cannot be used. ${[...mistakes.slice(0, shownMax), ...more].join('; ')}. ` +
      'Fix the file, or start again from one of examples/sources.',
  );
}

async function readText(file: string, setting: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new Misconfigured(
      `The source map ${file} cannot be read (${reason}). ${setting} has to name a JSON file that this process may read.`,
      { cause: error },
    );
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // The parser's own message quotes the text.
    throw new Misconfigured(
      `The source map ${file} is not JSON. Comments and commas at the end are not allowed in it.`,
    );
  }
}

function describe({ path, message }: z.core.$ZodIssue): string {
  return `${path.length === 0 ? 'The file' : path.map(String).join('.')}: ${message}`;
}
