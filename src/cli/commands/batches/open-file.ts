import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { operations, type Operation } from '../../../core/credits/price-book.ts';
import { Misconfigured, ValidationError } from '../../../core/errors.ts';
import { errorOfPlace } from '../../process/folder-errors.ts';
import { parseColumnMap } from '../../../producer/columns/parse-column-map.ts';
import type { ReadOptions } from '../../../producer/rows/read-companies.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { noteTyping } from '../../context/note-typing.ts';

/** The options of every command that reads a list. */
export interface ListOptions {
  readonly map?: readonly string[];
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly header?: boolean;
  readonly columns?: string;
  readonly operations?: string;
}

/** A list that can be read more than once. */
export interface OpenList {
  readonly open: () => Readable;
  readonly reading: ReadOptions;
}

/**
 * Opens the file of a list; `-` is standard input, kept in a temporary file because a list is read twice.
 *
 * @throws ValidationError when it is not there, or is a folder.
 */
export async function openList(
  context: CommandContext,
  file: string,
  options: ListOptions,
): Promise<OpenList> {
  const path = file === '-' ? await keepInput(context) : file;
  await rejectUnreadable(path, file);
  return { open: () => createReadStream(path), reading: readingOptions(file, options) };
}

async function keepInput(context: CommandContext): Promise<string> {
  const { config, stdin, signal, onEnd } = context;
  const folder = join(config().home, 'input');
  const path = join(folder, `stdin-${process.pid}.csv`);
  onEnd(() => rm(path, { force: true }));
  noteTyping(context);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    throw explainedKeeping(error, folder);
  }
  return path;
}

/** Trouble of the folder says what to do; anything else stays as it is. */
function explainedKeeping(cause: unknown, folder: string): unknown {
  const failure = errorOfPlace(cause);
  if (failure === null) return cause;
  return new Misconfigured(
    `A list from standard input is read twice, so it is kept for that long; ${folder} ${failure}. ` +
      'Nothing was loaded. Mend that, name a folder on another disk through NIGHTSHIFT_HOME, or name a file instead of -.',
    { cause },
  );
}

async function rejectUnreadable(path: string, name: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new ValidationError(`${name}: there is no such file, or it may not be read.`, { cause });
  });
  if (found.isDirectory()) throw new ValidationError(`${name} is a folder; name a CSV file.`);
}

function readingOptions(file: string, options: ListOptions): ReadOptions {
  return {
    fileName: file === '-' ? 'standard input' : basename(file),
    ...(options.map === undefined ? {} : { map: parseColumnMap(options.map, '--map') }),
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    ...(options.header === false ? { noHeader: true } : {}),
    ...(options.columns === undefined
      ? {}
      : { columns: options.columns.split(',').map((name) => name.trim()) }),
    ...(options.operations === undefined ? {} : { operations: parseOperations(options.operations) }),
  };
}

function parseOperations(text: string): readonly Operation[] {
  return text.split(',').map((part) => {
    const operation = operations.find((known) => known === part.trim());
    if (operation !== undefined) return operation;
    throw new ValidationError(
      `--operations: "${part.trim()}" is no operation. There are: ${operations.join(', ')}.`,
    );
  });
}
