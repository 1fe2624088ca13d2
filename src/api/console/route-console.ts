import type { OpenAPIHono } from '@hono/zod-openapi';
import { consoleFolder } from '../../package-root.ts';
import { movedPaths, pagePaths } from '../../console/paths.ts';
import { drawSample } from '../../core/sample/draw-sample.ts';
import { parseSamplePicture, samplePicturesPath } from '../../core/sample/sample-picture.ts';
import { pictureHosts } from '../../reporter/documents/model/picture.ts';
import type { ApiContext, ApiEnv } from '../http/api-env.ts';
import { Problem } from '../http/problem.ts';
import { readConsoleFiles, type ConsoleFile } from './console-files.ts';

/**
 * Content security policy of the console: its own scripts and styles, and calls to this server. Pictures of ads load from the hosts of
 * their archive, only after a click; those of the sample, from here. Text never becomes markup (Trusted Types).
 */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `img-src 'self' ${pictureHosts.map((host) => `https://${host}`).join(' ')}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Policy of the pictures of the sample, for a browser that opens one by itself: nothing runs, nothing loads. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'";

/** Matches the paths of the API and of operators, whose errors are JSON for everybody. */
const apiPaths =
  /^\/(?:v1|errors|operator\/queues|assets|sample-creatives)(?:\/|$)|^\/(?:livez|readyz|metrics|openapi\.json)$/;

/** Routes the console: one document for all its paths, and its files. */
export function routeConsole(http: OpenAPIHono<ApiEnv>): void {
  const page = (c: ApiContext) => {
    protect(c);
    return sendFile(c, files().get('/index.html'));
  };
  for (const path of pagePaths) http.get(path, page);
  for (const [from, to] of movedPaths) http.get(from, (c) => c.redirect(fillPath(to, c.req.param()), 301));
  http.get('/assets/:name', (c) => sendFile(c, files().get(c.req.path)));
  http.get('/icon.svg', (c) => sendFile(c, files().get('/icon.svg')));
  http.get(`${samplePicturesPath}/:name`, sendSamplePicture);
}

/** Sends a picture of the sample, which everybody may see: it is the same everywhere. @throws Problem without such a picture. */
function sendSamplePicture(c: ApiContext): Response {
  const picture = parseSamplePicture(c.req.path);
  const drawn = picture === null ? null : drawSample(picture);
  if (drawn === null) throw new Problem('not_found');
  c.header('Content-Security-Policy', picturePolicy);
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  c.header('Cache-Control', 'public, max-age=86400');
  return c.body(drawn, 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
}

/**
 * Answers the unknown paths of a browser with the console, with status 404. Call it before all routes: the last route that matches a
 * request names it in the metrics.
 */
export function answerUnknownPages(http: OpenAPIHono<ApiEnv>): void {
  http.get('/*', async (c, next) => {
    await next();
    if (c.res.status !== 404 || !wantsPage(c) || isPage(c.res)) return;
    const file = files().get('/index.html');
    if (file === undefined) return;
    protect(c);
    c.res = c.body(file.bytes, 404, { 'Content-Type': file.type });
  });
}

let read: ReadonlyMap<string, ConsoleFile> | undefined;

/** Reads the files of the console on first use. */
function files(): ReadonlyMap<string, ConsoleFile> {
  return (read ??= readConsoleFiles(consoleFolder));
}

function protect(c: ApiContext): void {
  c.header('Content-Security-Policy', consolePolicy);
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
}

/** True for a response of a route that has a page of its own for this status. */
function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true;
}

/** True for a request of a browser that opens an address. */
function wantsPage(c: ApiContext): boolean {
  return !apiPaths.test(c.req.path) && /\btext\/html\b/.test(c.req.header('accept') ?? '');
}

/** Replaces the parameters of a path, such as `:id`. */
function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Sends a file of the console, or 304 if the client has it. @throws Problem without a file */
export function sendFile(c: ApiContext, file: ConsoleFile | undefined): Response {
  if (file === undefined) throw new Problem('not_found');
  c.header('Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  c.header('ETag', file.etag);
  c.header('Vary', 'Accept-Encoding');
  if (c.req.header('if-none-match') === file.etag) return c.body(null, 304);
  const acceptsGzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
  if (acceptsGzip) c.header('Content-Encoding', 'gzip');
  return c.body(acceptsGzip ? file.gzipped : file.bytes, 200, { 'Content-Type': file.type });
}
