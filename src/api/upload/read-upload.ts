import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { parseColumnMap } from '../../producer/parse-column-map.ts';
import type { ReadOptions } from '../../producer/read-companies.ts';
import type { ApiContext } from '../api-env.ts';
import { Problem } from '../problem.ts';
import { uploadOptions, type BatchRequest, type UploadOptions } from '../wire/batches.ts';
import { csvOfRows } from './json-rows.ts';
import type { Spool, SpooledList } from './spool.ts';

/** A list that was sent, and what is wanted of it. */
export interface Upload {
  readonly list: SpooledList;
  readonly reading: ReadOptions;
  /** Null: the configured ones. */
  readonly sources: readonly string[] | null;
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
    source,
    limit,
    max_credits: maxCredits,
    file_name: fileName,
    dry_run: isDryRun,
  } = request;
  return (c, spool, work) =>
    spool.keep(c.var.requestId, Readable.from([Buffer.from(csvOfRows(rows))]), (list) =>
      work({
        list,
        reading: {
          fileName: fileName ?? 'rows.json',
          encoding: 'utf-8',
          delimiter: ',',
          ...(map === undefined ? {} : { map }),
        },
        sources: source ?? null,
        limitRows: limit ?? null,
        maxCredits: maxCredits ?? null,
        isDryRun: isDryRun ?? false,
      }),
    );
}

/** `multipart/form-data`: one file, and the options as fields before or after it. */
export const takeForm: TakeUpload = async (c, spool, work) => {
  const fields: Record<string, string> = {};
  const problems: string[] = [];
  let fileName = 'upload.csv';
  const form = openForm(c);
  const file = new Promise<Readable>((resolve, reject) => {
    let isThere = false;
    form.on('file', (_field, stream, name) => {
      if (isThere) {
        problems.push('the form has more than one file');
        stream.resume();
        return;
      }
      isThere = true;
      if (name !== undefined && name !== '') fileName = name;
      resolve(stream);
    });
    form.on('field', (name, value) => {
      if (Object.hasOwn(fields, name)) problems.push(`${name}: there are two of it`);
      fields[name] = value;
    });
    form.on('error', (error) => reject(notAForm(error)));
    form.on('finish', () => reject(new Problem('validation_error', { titles: ['The form has no file'] })));
  });
  const ended = new Promise<void>((resolve, reject) => {
    form.on('finish', resolve);
    form.on('error', (error) => reject(notAForm(error)));
  });
  ended.catch(() => undefined);
  bodyOf(c)
    .on('error', (error) => form.destroy(error))
    .pipe(form);
  return spool.keep(c.var.requestId, await file, async (list) => {
    await ended;
    if (problems.length > 0) throw new Problem('validation_error', { titles: problems });
    return work(toUpload(list, parseOptions(fields), fileName));
  });
};

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
  throw new Problem('validation_error', {
    titles: parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')),
  });
}

function toUpload(list: SpooledList, options: UploadOptions, fileName: string): Upload {
  const { encoding, delimiter, columns, map, header } = options;
  return {
    list,
    reading: {
      fileName: options.file_name ?? fileName,
      ...(encoding === undefined ? {} : { encoding }),
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(columns === undefined ? {} : { columns }),
      ...(map === undefined ? {} : { map: parseColumnMap([map], 'map') }),
      ...(header === false ? { noHeader: true } : {}),
    },
    sources: options.source ?? null,
    limitRows: options.limit ?? null,
    maxCredits: options.max_credits ?? null,
    isDryRun: options.dry_run ?? false,
  };
}
