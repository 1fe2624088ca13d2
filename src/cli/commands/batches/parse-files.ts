import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnrichError, Misconfigured, ValidationError } from '../../../core/errors.ts';
import { readCompanies, type CompanyFile } from '../../../producer/rows/read-companies.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { writeErrorText } from '../../process/folder-errors.ts';
import { snakeKeys } from '../../terminal/snake-keys.ts';
import { openFile, type FileOptions } from './open-file.ts';

/**
 * Writes what was read of each file to `folder` as NDJSON, and prints one line for each file: `{"file":"a.csv","refused":null}`, or the error
 * in place of null. The first line of an NDJSON file has the column names and the form, every other one a row.
 *
 * @returns exit code 0 if all files were read, 1 otherwise.
 * @throws ValidationError when two files have the same name, Misconfigured when the folder cannot be written.
 */
export async function parseFiles(
  context: CommandContext,
  files: readonly string[],
  { parsed: folder, ...options }: FileOptions & { readonly parsed: string },
): Promise<number> {
  const names = files.map((file) => (file === '-' ? 'standard-input' : basename(file)));
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    throw new ValidationError(`Two files are named ${repeated}. Parse them into different folders.`);
  await makeFolder(folder);
  let isComplete = true;
  for (const [index, file] of files.entries()) {
    context.signal.throwIfAborted();
    const target = join(folder, `${names[index] ?? ''}.ndjson`);
    const refused = await parseFile(context, { file, target, options });
    if (refused !== null) isComplete = false;
    context.output.stdout.write(`${JSON.stringify({ file, refused })}\n`);
  }
  return isComplete ? exitCodes.done : exitCodes.someFailed;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new Misconfigured(
      `--parsed ${folder}: the folder ${writeErrorText(cause) ?? 'cannot be created'}. Name another folder.`,
      { cause },
    );
  }
}

/** Parses one file. Returns the error of a rejected file, of which nothing is kept. */
async function parseFile(
  context: CommandContext,
  { file, target, options }: { file: string; target: string; options: FileOptions },
): Promise<string | null> {
  try {
    const { open, reading } = await openFile(context, file, options);
    const read = await readCompanies(open(), reading);
    await pipeline(Readable.from(linesOf(read)), createWriteStream(target));
    return null;
  } catch (error) {
    if (!(error instanceof EnrichError)) throw error;
    await rm(target, { force: true });
    return error.message;
  }
}

async function* linesOf({ form, rows }: CompanyFile): AsyncGenerator<string> {
  const { header, fields, format, sheet, encoding, delimiter, quote, escape, linesAbove } = form;
  const shown = { header, fields, format, sheet, encoding, delimiter, quote, escape, linesAbove };
  yield `${JSON.stringify(snakeKeys(shown))}\n`;
  for await (const block of rows)
    yield block
      .map(
        ({ lineNo: line, cells, problem, warning }) =>
          `${JSON.stringify({ line, cells, problem, warning })}\n`,
      )
      .join('');
}
