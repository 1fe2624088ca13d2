import { isUtf8 } from 'node:buffer';
import { bodyLimit } from 'hono/body-limit';
import { except } from 'hono/combine';
import type { ApiContext, ApiMiddleware } from './api-env.ts';
import { Problem } from './problem.ts';

/** The most that a JSON body may have, our choice: what it says fits into a few lines. */
export const jsonBytesMax = 64 * 1024;

/** How long a JSON body may take to arrive. */
const arrivalMsMax = 30_000;

const isJson = /^application\/json\s*(;|$)/i;

/** For routes with a JSON body: it is one, it is not too large, and it is there whole before anything else happens. */
export const readJson: readonly ApiMiddleware[] = [
  async (c, next) => {
    if (!isJson.test(c.req.header('content-type') ?? '')) {
      throw new Problem('unsupported_media_type', {
        titles: ['Send the body as Content-Type: application/json'],
      });
    }
    await next();
  },
  bodyLimit({
    maxSize: jsonBytesMax,
    onError: () => {
      throw new Problem('payload_too_large', { titles: [`A JSON body may have ${jsonBytesMax} bytes`] });
    },
  }),
  async (c, next) => {
    // Read here once: whoever asks for it later is given the same bytes.
    const body = await inTime(c.req.arrayBuffer());
    if (!isUtf8(Buffer.from(body)))
      throw new Problem('validation_error', { titles: ['The body is not UTF-8'] });
    await next();
  },
];

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

/** The same for a route whose body may be left out. */
export const readOptionalJson: ApiMiddleware = except((c: ApiContext) => !hasBody(c.req), ...readJson);

function hasBody(request: ApiContext['req']): boolean {
  return (
    request.header('transfer-encoding') !== undefined || Number(request.header('content-length') ?? 0) > 0
  );
}

/** The same for a route that takes other forms as well: those are left to it. */
export const readJsonIfAny: ApiMiddleware = except(
  (c) => !isJson.test(c.req.header('content-type') ?? ''),
  ...readJson,
);
