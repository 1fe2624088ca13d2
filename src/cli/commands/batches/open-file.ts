import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { operations, type Operation } from '../../../core/credits/price-book.ts';
import { Misconfigured, ValidationError } from '../../../core/errors.ts';
import { writeErrorText } from '../../process/folder-errors.ts';
import { parseColumnMap } from '../../../producer/columns/parse-column-map.ts';
import type { ReadOptions } from '../../../producer/rows/read-companies.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { noteTyping } from '../../context/note-typing.ts';

/** Options of every command that reads a file of rows. */
export interface FileOptions {
  readonly map?: readonly string[];
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
  readonly sheet?: string;
  readonly skipLines?: string;
  readonly strict?: boolean;
  readonly header?: boolean;
  readonly columns?: string;
  readonly operations?: string;
}

/** A file that can be read more than once, with its reading options. */
export interface OpenedFile {
  readonly open: () => Readable;
  readonly reading: ReadOptions;
}

/**
 * Checks that a file can be read, and returns a function that opens it. `-` is standard input, stored in a temporary file because a file is read twice.
 *
 * @throws ValidationError when the file does not exist, cannot be read, or is a folder.
 */
export async function openFile(
  context: CommandContext,
  file: string,
  options: FileOptions,
): Promise<OpenedFile> {
  const path = file === '-' ? await storeInput(context) : file;
  await rejectUnreadable(path, file);
  return {
    open: () => createReadStream(path, { highWaterMark: 256 * 1024 }),
    reading: readingOptions(file, options),
  };
}

async function storeInput(context: CommandContext): Promise<string> {
  const { config, stdin, signal, onEnd } = context;
  const folder = join(config().home, 'input');
  const path = join(folder, `stdin-${process.pid}.csv`);
  onEnd(() => rm(path, { force: true }));
  noteTyping(context);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    throw explainInputError(error, folder);
  }
  return path;
}

/** Adds the remedy to an error of the folder. Any other error stays as it is. */
function explainInputError(cause: unknown, folder: string): unknown {
  const failure = writeErrorText(cause);
  if (failure === null) return cause;
  return new Misconfigured(
    `Standard input is read twice, so it is stored in a temporary file, but ${folder} ${failure}. Nothing was loaded. ` +
      'Fix the folder, set NIGHTSHIFT_HOME to a folder on another disk, or name a file instead of -.',
    { cause },
  );
}

async function rejectUnreadable(path: string, name: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new ValidationError(`${name}: no such file, or permission denied.`, { cause });
  });
  if (found.isDirectory()) throw new ValidationError(`${name} is a folder. Name a file.`);
}

function readingOptions(file: string, options: FileOptions): ReadOptions {
  return { fileName: file === '-' ? 'standard input' : basename(file), ...parseReading(options) };
}

/** Parses the given reading options. @throws ValidationError naming the option. */
export function parseReading(options: FileOptions): Omit<ReadOptions, 'fileName'> {
  return {
    ...(options.map === undefined ? {} : { map: parseColumnMap(options.map, '--map') }),
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    ...(options.quote === undefined ? {} : { quote: options.quote }),
    ...(options.escape === undefined ? {} : { escape: options.escape }),
    ...(options.sheet === undefined ? {} : { sheet: options.sheet }),
    ...(options.skipLines === undefined ? {} : { skipLines: parseSkipLines(options.skipLines) }),
    ...(options.strict === true ? { strict: true } : {}),
    ...(options.header === false ? { noHeader: true } : {}),
    ...(options.columns === undefined
      ? {}
      : { columns: options.columns.split(',').map((name) => name.trim()) }),
    ...(options.operations === undefined ? {} : { operations: parseOperations(options.operations) }),
  };
}

function parseSkipLines(text: string): number {
  if (/^\d{1,4}$/.test(text.trim())) return Number(text);
  throw new ValidationError(`--skip-lines ${text}: must be a number of lines, such as --skip-lines 3.`);
}

function parseOperations(text: string): readonly Operation[] {
  return text.split(',').map((part) => {
    const operation = operations.find((known) => known === part.trim());
    if (operation !== undefined) return operation;
    throw new ValidationError(
      `--operations: unknown operation "${part.trim()}". Known operations: ${operations.join(', ')}.`,
    );
  });
}
