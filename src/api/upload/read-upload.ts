import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { parseColumnMap } from '../../producer/parse-column-map.ts';
import type { ReadOptions } from '../../producer/read-companies.ts';
import type { ApiContext } from '../api-env.ts';
import { invalidInput, Problem } from '../problem.ts';
import type { SearchOptions } from '../../core/ads/ad-source.ts';
import { searchOf, uploadOptions, type BatchRequest, type UploadOptions } from '../wire/batches.ts';
import { csvOfRows } from './json-rows.ts';
import type { Spool, SpooledList } from './spool.ts';

/** A list that was sent, and what is wanted of it. */
export interface Upload {
  readonly list: SpooledList;
  readonly reading: ReadOptions;
  /** Null: the configured ones. */
  readonly sources: readonly string[] | null;
  readonly search: SearchOptions;
  readonly limitRows: number | null;
  readonly maxCredits: number | null;
  readonly isDryRun: boolean;
}

/** Takes a list in, whichever of the three forms it comes in, and lets `work` have it. */
export type TakeUpload = (
  c: ApiContext,
  spool: Spool,
  work: (upload: Upload) => Promise<Response>,
) => Promise<Response>;

/** `text/csv`: the body is the list, the options stand in the query. */
export function takeCsv(options: UploadOptions): TakeUpload {
  return (c, spool, work) =>
    spool.keep(c.var.requestId, bodyOf(c), (list) => work(toUpload(list, options, 'upload.csv')));
}

/** JSON rows, validated by now. */
export function takeRows(request: BatchRequest): TakeUpload {
  const {
    rows,
    map,
    operations,
    source,
    limit,
    max_credits: maxCredits,
    file_name: fileName,
    dry_run: isDryRun,
  } = request;
  const { columns, csv } = csvOfRows(rows);
  return (c, spool, work) =>
    spool.keep(c.var.requestId, Readable.from([Buffer.from(csv)]), (list) =>
      work({
        list,
        reading: {
          fileName: fileName ?? 'rows.json',
          encoding: 'utf-8',
          delimiter: ',',
          noHeader: true,
          columns,
          ...(map === undefined ? {} : { map }),
          ...(operations === undefined ? {} : { operations }),
        },
        sources: source ?? null,
        search: searchOf(request),
        limitRows: limit ?? null,
        maxCredits: maxCredits ?? null,
        isDryRun: isDryRun ?? false,
      }),
    );
}

/** `multipart/form-data`: one file, and the options as fields before or after it. */
export const takeForm: TakeUpload = async (c, spool, work) => {
  const form = readForm(c);
  const { stream, name } = await form.file;
  try {
    return await spool.keep(c.var.requestId, stream, async (list) => {
      const fields = await form.fields;
      return work(toUpload(list, parseOptions(fields), name));
    });
  } catch (error) {
    // A form that breaks off takes its file with it; what the disk or the list is refused for is told as it is.
    throw stream.errored === null ? error : notAForm(stream.errored);
  }
};

/** A form as it comes in: its file as soon as that begins, its fields once all is there. Both reject when it is none. */
interface Form {
  readonly file: Promise<{ readonly stream: Readable; readonly name: string }>;
  readonly fields: Promise<Readonly<Record<string, string>>>;
}

function readForm(c: ApiContext): Form {
  const form = openForm(c);
  const fields: Record<string, string> = {};
  const problems: string[] = [];
  const file = new Promise<{ readonly stream: Readable; readonly name: string }>((resolve, reject) => {
    let isThere = false;
    form.on('file', (_field, stream, name) => {
      // It may break off before anybody reads it, and an error that nobody hears ends the process.
      stream.on('error', () => undefined);
      if (isThere) {
        problems.push('the form has more than one file');
        stream.resume();
        return;
      }
      isThere = true;
      resolve({ stream, name: name === undefined || name === '' ? 'upload.csv' : name });
    });
    form.on('error', (error) => reject(notAForm(error)));
    form.on('finish', () => reject(new Problem('validation_error', { titles: ['The form has no file'] })));
  });
  const ended = new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
    form.on('field', (name, value) => {
      if (Object.hasOwn(fields, name)) problems.push(`${name}: there are two of it`);
      fields[name] = value;
    });
    form.on('error', (error) => reject(notAForm(error)));
    form.on('finish', () =>
      problems.length === 0 ? resolve(fields) : reject(new Problem('validation_error', { titles: problems })),
    );
  });
  // Looked at once the file is there; until then it must not count as unhandled.
  ended.catch(() => undefined);
  bodyOf(c)
    .on('error', (error) => form.destroy(error))
    .pipe(form);
  return { file, fields: ended };
}

function openForm(c: ApiContext) {
  try {
    return new Busboy({
      headers: { 'content-type': c.req.header('content-type') ?? '' },
      limits: { files: 2, fields: 50, fieldSize: 16 * 1024, parts: 60 },
    });
  } catch (cause) {
    throw notAForm(cause);
  }
}

function notAForm(cause: unknown): Problem {
  return new Problem('validation_error', { titles: ['The body is no form that can be read'], cause });
}

function bodyOf(c: ApiContext): Readable {
  return c.env.incoming;
}

function parseOptions(given: Readonly<Record<string, string>>): UploadOptions {
  const parsed = uploadOptions.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error.issues);
}

function toUpload(list: SpooledList, options: UploadOptions, fileName: string): Upload {
  const { encoding, delimiter, columns, map, header, operations } = options;
  return {
    list,
    reading: {
      fileName: options.file_name ?? fileName,
      ...(encoding === undefined ? {} : { encoding }),
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(columns === undefined ? {} : { columns }),
      ...(map === undefined ? {} : { map: parseColumnMap([map], 'map') }),
      ...(header === false ? { noHeader: true } : {}),
      ...(operations === undefined ? {} : { operations }),
    },
    sources: options.source ?? null,
    search: searchOf(options),
    limitRows: options.limit ?? null,
    maxCredits: options.max_credits ?? null,
    isDryRun: options.dry_run ?? false,
  };
}
