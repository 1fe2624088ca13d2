import type { OpenAPIHono } from '@hono/zod-openapi';
import { consoleFolder } from '../../package-root.ts';
import { pagePaths } from '../../console/paths.ts';
import { pictureHosts } from '../../reporter/documents/html/creative-picture.ts';
import type { ApiContext, ApiEnv } from '../http/api-env.ts';
import { Problem } from '../http/problem.ts';
import { readConsoleFiles, type ConsoleFile } from './console-files.ts';

/**
 * Content security policy of the console: its own scripts and styles, and calls to this server. Pictures of ads load from the hosts of
 * their archive, only after a click. Text never becomes markup (Trusted Types).
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

/** Routes the console: one document for all its paths, and its files. */
export function routeConsole(http: OpenAPIHono<ApiEnv>): void {
  let read: ReadonlyMap<string, ConsoleFile> | undefined;
  const files = () => (read ??= readConsoleFiles(consoleFolder));
  const page = (c: ApiContext) => {
    c.header('Content-Security-Policy', consolePolicy);
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    return sendFile(c, files().get('/index.html'));
  };
  for (const path of pagePaths) http.get(path, page);
  http.get('/assets/:name', (c) => sendFile(c, files().get(c.req.path)));
  http.get('/icon.svg', (c) => sendFile(c, files().get('/icon.svg')));
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
