import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { ApiContext, ApiMiddleware } from './api-env.ts';
import { brokenOff, Problem } from './problem.ts';
import { bodyProblem, requestBody } from './request-body.ts';
import { rejectUnstorableJson } from './unstorable-text.ts';

/** Maximum size of a JSON body: our choice. Bodies of this API have a few lines. */
export const jsonBytesMax = 64 * 1024;

/** Time limit for the arrival of a JSON body. */
const arrivalMsMax = 30_000;

const isJson = /^application\/json\s*(;|$)/i;

/** Reads a JSON body completely, within the limits, before the route runs. */
export const readJson: ApiMiddleware = async (c, next) => {
  if (!isJson.test(c.req.header('content-type') ?? '')) {
    throw new Problem('unsupported_media_type', {
      titles: ['Send the body as Content-Type: application/json'],
    });
  }
  // A client that announces a body that is too large need not send it.
  if (Number(c.req.header('content-length') ?? 0) > jsonBytesMax) throw tooLarge();
  const body = await inTime(readLimited(requestBody(c))).catch((error: unknown) => {
    const problem = bodyProblem(error);
    throw problem instanceof Problem ? problem : brokenOff(error);
  });
  if (!isUtf8(body)) throw new Problem('validation_error', { titles: ['The body is not UTF-8'] });
  rejectUnstorableJson(body);
  // Later readers get these bytes.
  Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(new Uint8Array(body).buffer) });
  await next();
};

/** Reads up to the limit and leaves the rest: the connection is needed for the response. */
async function readLimited(incoming: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > jsonBytesMax) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(): Problem {
  return new Problem('payload_too_large', { titles: [`A JSON body may have at most ${jsonBytesMax} bytes`] });
}

async function inTime<T>(arriving: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem('request_timeout')), arrivalMsMax);
  });
  try {
    return await Promise.race([arriving, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads an optional JSON body. A missing body counts as an empty object. */
export const readOptionalJson: ApiMiddleware = (c, next) => {
  if (hasBody(c.req)) return readJson(c, next);
  Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(new TextEncoder().encode('{}').buffer) });
  return next();
};

function hasBody(request: ApiContext['req']): boolean {
  return (
    request.header('transfer-encoding') !== undefined || Number(request.header('content-length') ?? 0) > 0
  );
}

/** Media types of a file that is the body of a request. */
export const fileTypes = [
  'text/csv',
  'application/octet-stream',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.apache.parquet',
  'application/x-ndjson',
  'application/gzip',
  'application/zip',
] as const;

/** Returns true for the media type of a file that is the body of a request. */
export function isFileType(type: string): boolean {
  return fileTypes.some((known) => known === type);
}

/** Media types of an uploaded file in a body with options. */
const listTypes: ReadonlySet<string> = new Set(['multipart/form-data', 'application/json']);

/** Reads a JSON body for a route that takes files. The route reads other media types itself. */
export const readJsonOfList: ApiMiddleware = (c, next) => {
  const type = mediaTypeOf(c);
  if (!listTypes.has(type) && !isFileType(type)) throw new Problem('unsupported_media_type');
  return type === 'application/json' ? readJson(c, next) : next();
};

/** Reads an optional JSON body for a route whose file is optional. */
export const readOptionalList: ApiMiddleware = (c, next) =>
  hasBody(c.req) ? readJsonOfList(c, next) : readOptionalJson(c, next);

/** Media type of the body without its parameters. Empty without a Content-Type. */
export function mediaTypeOf(c: ApiContext): string {
  return c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
