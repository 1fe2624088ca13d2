import type { z } from '@hono/zod-openapi';
import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { parseColumnMap } from '../../producer/columns/parse-column-map.ts';
import type { ReadOptions } from '../../producer/rows/read-companies.ts';
import type { ApiContext } from '../http/api-env.ts';
import { invalidInput, Problem } from '../http/problem.ts';
import { mediaTypeOf } from '../http/read-json.ts';
import { bodyProblem, requestBody } from '../http/request-body.ts';
import type { ListRows, ListTexts } from './schema.ts';
import { csvOfRows } from './json-rows.ts';
import { isStorable, unstorableText } from '../http/text.ts';
import type { Spool, SpooledList } from './spool.ts';

/** A list that was sent, and what was said with it. */
export interface Upload<Options> {
  readonly list: SpooledList;
  readonly reading: ReadOptions;
  readonly options: Options;
}

/** Places of the fields in an upload. */
export interface UploadForms<Texts, Rows> {
  /** In the query, beside `text/csv`. */
  readonly query: Texts;
  /** In a JSON body, beside the rows; validated by now. */
  readonly json: Rows;
  /** In a form: what its fields have to be. */
  readonly fields: z.ZodType<Texts>;
}

/**
 * Takes a list in, whichever of the three forms it comes in, and lets `work` have it.
 *
 * @throws Problem when options stand in the query and the form has a place of its own for them, or when there is no list in it.
 */
export function takeUpload<Texts extends ListTexts, Rows extends ListRows>(
  c: ApiContext,
  spool: Spool,
  { query, json, fields }: UploadForms<Texts, Rows>,
  work: (upload: Upload<Texts | Rows>) => Promise<Response>,
): Promise<Response> {
  const type = mediaTypeOf(c);
  if (type === 'text/csv') {
    return spool.keep(c.var.requestId, requestBody(c), (list) =>
      work({ list, reading: readingOf(query, 'upload.csv'), options: query }),
    );
  }
  rejectQuery(query);
  return type === 'application/json' ? takeRows(c, spool, json, work) : takeForm(c, spool, fields, work);
}

/** @throws Problem when options stand in the query beside a body that has a place of its own for them. */
export function rejectQuery(query: object): void {
  if (Object.keys(query).length === 0) return;
  throw new Problem('validation_error', { titles: ['Options stand in the query beside text/csv only'] });
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
    noHeader: true,
    columns,
    ...(map === undefined ? {} : { map }),
    ...(operations === undefined ? {} : { operations }),
  };
  return spool.keep(c.var.requestId, Readable.from([Buffer.from(csv)]), (list) =>
    work({ list, reading, options: json }),
  );
}

/** One file, and the options as fields before or after it. */
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
    // A form that breaks off takes its file with it; what the disk or the list is refused for is told as it is.
    throw stream.errored === null ? error : notAForm(stream.errored);
  }
}

/** A form as it comes in: its file as soon as that begins, its fields once all is there. Both reject when it is none. */
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
      // It may break off before anybody reads it, and an error that nobody hears ends the process.
      stream.on('error', () => undefined);
      if (isThere) {
        problems.push('the form has more than one file');
        stream.resume();
        return;
      }
      isThere = true;
      if (name !== undefined && !isStorable(name)) problems.push(`file_name: ${unstorableText}`);
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
  return new Problem('validation_error', { titles: ['The body is no form that can be read'], cause });
}

function parseOptions<Texts>(texts: z.ZodType<Texts>, given: Readonly<Record<string, string>>): Texts {
  const parsed = texts.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error.issues);
}

function readingOf(options: ListTexts, fileName: string): ReadOptions {
  const { encoding, delimiter, columns, map, header, operations } = options;
  return {
    fileName: options.file_name ?? fileName,
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(columns === undefined ? {} : { columns }),
    ...(map === undefined ? {} : { map: parseColumnMap([map], 'map') }),
    ...(header === false ? { noHeader: true } : {}),
    ...(operations === undefined ? {} : { operations }),
  };
}
