import type { z } from '@hono/zod-openapi';
import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { parseColumnMap } from '../../producer/columns/parse-column-map.ts';
import type { ReadOptions } from '../../producer/rows/read-companies.ts';
import type { ApiContext } from '../http/api-env.ts';
import { invalidInput, Problem } from '../http/problem.ts';
import { isFileType, mediaTypeOf } from '../http/read-json.ts';
import { bodyProblem, requestBody } from '../http/request-body.ts';
import type { ListRows, ListTexts } from './schema.ts';
import { csvOfRows } from './json-rows.ts';
import { isStorable, unstorableText } from '../http/text.ts';
import type { Spool, SpooledList } from './spool.ts';

/** An uploaded file with its options. */
export interface Upload<Options> {
  readonly list: SpooledList;
  readonly reading: ReadOptions;
  readonly options: Options;
}

/** Places of the fields in an upload. */
export interface UploadForms<Texts, Rows> {
  /** In the query, with a file as the body. */
  readonly query: Texts;
  /** In a JSON body, next to the rows; already validated. */
  readonly json: Rows;
  /** In a form: the schema of its fields. */
  readonly fields: z.ZodType<Texts>;
}

/**
 * Receives a file in any of the three forms and passes it to `work`.
 *
 * @throws Problem when options are in the query of a form that has its own place for them, or when the request has no file.
 */
export function takeUpload<Texts extends ListTexts, Rows extends ListRows>(
  c: ApiContext,
  spool: Spool,
  { query, json, fields }: UploadForms<Texts, Rows>,
  work: (upload: Upload<Texts | Rows>) => Promise<Response>,
): Promise<Response> {
  const type = mediaTypeOf(c);
  if (isFileType(type)) {
    return spool.keep(c.var.requestId, requestBody(c), (list) =>
      work({
        list,
        reading: readingOf(query, type === 'text/csv' ? 'upload.csv' : 'upload'),
        options: query,
      }),
    );
  }
  rejectQuery(query);
  return type === 'application/json' ? takeRows(c, spool, json, work) : takeForm(c, spool, fields, work);
}

/** Rejects options in the query of a request whose body has its own place for them. @throws Problem */
export function rejectQuery(query: object): void {
  if (Object.keys(query).length === 0) return;
  throw new Problem('validation_error', {
    titles: ['Options can be in the query only with a file as the body. Send them in the body'],
  });
}

function takeRows<Rows extends ListRows>(
  c: ApiContext,
  spool: Spool,
  json: Rows,
  work: (upload: Upload<Rows>) => Promise<Response>,
): Promise<Response> {
  const { map, operations } = json;
  const { columns, csv } = csvOfRows(json.rows);
  const reading: ReadOptions = {
    fileName: json.file_name ?? 'rows.json',
    encoding: 'utf-8',
    delimiter: ',',
    quote: '"',
    escape: '"',
    skipLines: 0,
    keepsBlankRows: true,
    noHeader: true,
    columns,
    ...(map === undefined ? {} : { map }),
    ...(operations === undefined ? {} : { operations }),
  };
  return spool.keep(c.var.requestId, Readable.from([Buffer.from(csv)]), (list) =>
    work({ list, reading, options: json }),
  );
}

/** Receives a form: one file, with the options as fields before or after it. */
async function takeForm<Texts extends ListTexts>(
  c: ApiContext,
  spool: Spool,
  texts: z.ZodType<Texts>,
  work: (upload: Upload<Texts>) => Promise<Response>,
): Promise<Response> {
  const form = readForm(c);
  const { stream, name } = await form.file;
  try {
    return await spool.keep(c.var.requestId, stream, async (list) => {
      const options = parseOptions(texts, await form.fields);
      return work({ list, reading: readingOf(options, name), options });
    });
  } catch (error) {
    // The file of an incomplete form fails with the form. An error of the disk or of the file is reported as it is.
    throw stream.errored === null ? error : notAForm(stream.errored);
  }
}

/** A form that is being received: its file once that begins, its fields once all have arrived. Both reject for an invalid form. */
interface Form {
  readonly file: Promise<{ readonly stream: Readable; readonly name: string }>;
  readonly fields: Promise<Readonly<Record<string, string>>>;
}

function readForm(c: ApiContext): Form {
  const body = requestBody(c);
  const form = openForm(c);
  const fields: Record<string, string> = {};
  const problems: string[] = [];
  const file = new Promise<{ readonly stream: Readable; readonly name: string }>((resolve, reject) => {
    let isThere = false;
    form.on('file', (_field, stream, name) => {
      // The file may fail before it is read, and an unhandled error event ends the process.
      stream.on('error', () => undefined);
      if (isThere) {
        problems.push('The form has more than one file. Send one');
        stream.resume();
        return;
      }
      isThere = true;
      if (name !== undefined && !isStorable(name)) problems.push(`file_name: ${unstorableText}`);
      resolve({ stream, name: name === undefined || name === '' ? 'upload.csv' : name });
    });
    form.on('error', (error) => reject(notAForm(error)));
    form.on('finish', () =>
      reject(new Problem('validation_error', { titles: ['The form has no file. Send one'] })),
    );
  });
  const ended = new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
    form.on('field', (name, value) => {
      if (Object.hasOwn(fields, name)) problems.push(`${name}: is given twice`);
      fields[name] = value;
    });
    form.on('error', (error) => reject(notAForm(error)));
    form.on('finish', () =>
      problems.length === 0 ? resolve(fields) : reject(new Problem('validation_error', { titles: problems })),
    );
  });
  // Awaited after the file. Until then the rejection must not count as unhandled.
  ended.catch(() => undefined);
  body.on('error', (error) => form.destroy(error)).pipe(form);
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
  const problem = bodyProblem(cause);
  if (problem instanceof Problem) return problem;
  return new Problem('validation_error', { titles: ['The body is not a valid form'], cause });
}

function parseOptions<Texts>(texts: z.ZodType<Texts>, given: Readonly<Record<string, string>>): Texts {
  const parsed = texts.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error.issues);
}

function readingOf(options: ListTexts, fileName: string): ReadOptions {
  const { encoding, delimiter, quote, escape, columns, map, header, operations } = options;
  return {
    fileName: options.file_name ?? fileName,
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(quote === undefined ? {} : { quote }),
    ...(escape === undefined ? {} : { escape }),
    ...(options.sheet === undefined ? {} : { sheet: options.sheet }),
    ...(options.skip_lines === undefined ? {} : { skipLines: options.skip_lines }),
    ...(options.strict === true ? { strict: true } : {}),
    ...(columns === undefined ? {} : { columns }),
    ...(map === undefined ? {} : { map: parseColumnMap([map], 'map') }),
    ...(header === false ? { noHeader: true } : {}),
    ...(operations === undefined ? {} : { operations }),
  };
}
