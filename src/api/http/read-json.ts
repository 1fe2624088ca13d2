import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { ApiContext, ApiMiddleware } from './api-env.ts';
import { brokenOff, Problem } from './problem.ts';
import { bodyProblem, requestBody } from './request-body.ts';
import { rejectUnstorableJson } from './unstorable-text.ts';

/** The most that a JSON body may have, our choice: what it says fits into a few lines. */
export const jsonBytesMax = 64 * 1024;

/** Time limit for the arrival of a JSON body. */
const arrivalMsMax = 30_000;

const isJson = /^application\/json\s*(;|$)/i;

/** For routes with a JSON body: it is one, it is not too large, and it is there whole before anything else happens. */
export const readJson: ApiMiddleware = async (c, next) => {
  if (!isJson.test(c.req.header('content-type') ?? '')) {
    throw new Problem('unsupported_media_type', {
      titles: ['Send the body as Content-Type: application/json'],
    });
  }
  // What a client says of a body that is too large spares it the sending.
  if (Number(c.req.header('content-length') ?? 0) > jsonBytesMax) throw tooLarge();
  const body = await inTime(readLimited(requestBody(c))).catch((error: unknown) => {
    const problem = bodyProblem(error);
    throw problem instanceof Problem ? problem : brokenOff(error);
  });
  if (!isUtf8(body)) throw new Problem('validation_error', { titles: ['The body is not UTF-8'] });
  rejectUnstorableJson(body);
  // Whoever asks for it later is given these bytes.
  Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(new Uint8Array(body).buffer) });
  await next();
};

/** Reads up to the limit and leaves the rest: the connection is needed for the answer. */
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
  return new Problem('payload_too_large', { titles: [`A JSON body may have ${jsonBytesMax} bytes`] });
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

/** The same for a route whose body may be left out: it then says nothing. */
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

/** The forms that a list may come in. */
const listTypes: ReadonlySet<string> = new Set(['text/csv', 'multipart/form-data', 'application/json']);

/** For the route that takes lists: a JSON body as everywhere, the other forms are left to it. */
export const readJsonOfList: ApiMiddleware = (c, next) => {
  const type = mediaTypeOf(c);
  if (!listTypes.has(type)) throw new Problem('unsupported_media_type');
  return type === 'application/json' ? readJson(c, next) : next();
};

/** The same for a route whose list, and whose body, may be left out. */
export const readOptionalList: ApiMiddleware = (c, next) =>
  hasBody(c.req) ? readJsonOfList(c, next) : readOptionalJson(c, next);

/** The type of the body without its parameters; empty when none is said. */
export function mediaTypeOf(c: ApiContext): string {
  return c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
