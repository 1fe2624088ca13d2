import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** The only project of the stand-in. */
export const projectId = 'acme-ads';

/** Operation of a call. */
export type StandInOperation = 'token' | 'dry run' | 'insert' | 'get job' | 'results' | 'table';

/** A received call. */
export interface StandInCall {
  readonly operation: StandInOperation;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | null;
  readonly body: string;
}

/** A received call with its operation. */
export interface IncomingCall {
  readonly operation: StandInOperation;
  /** Id of the job or table; '' if there is none. */
  readonly id: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** Parses a call; null if its path has no operation. Accepts both forms of the paths. */
export async function readCall(request: IncomingMessage): Promise<IncomingCall | null> {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const path = url.pathname.replace(/^\/bigquery\/v2(?=\/)/, '');
  const body = await text(request);
  const route = routeOf(request.method ?? '', path, body);
  return route === null ? null : { ...route, url, body, headers: request.headers };
}

function routeOf(method: string, path: string, body: string): Pick<IncomingCall, 'operation' | 'id'> | null {
  if (method === 'POST' && path === '/token') return { operation: 'token', id: '' };
  if (method === 'POST' && path === `/projects/${projectId}/jobs`)
    return { operation: /"dryRun":\s*true/.test(body) ? 'dry run' : 'insert', id: '' };
  if (method !== 'GET') return null;
  const job = new RegExp(`^/projects/${projectId}/(jobs|queries)/([\\w-]+)$`).exec(path);
  if (job !== null) return { operation: job[1] === 'jobs' ? 'get job' : 'results', id: job[2] ?? '' };
  const table = /^\/projects\/([^/]+)\/datasets\/([^/]+)\/tables\/([^/]+)$/.exec(path);
  return table === null ? null : { operation: 'table', id: table.slice(1).join('.') };
}

/** Log entry of a call. */
export function toEntry({ operation, url, body, headers }: IncomingCall): StandInCall {
  const query = Object.fromEntries(url.searchParams);
  return { operation, path: url.pathname, query, authorization: headers.authorization ?? null, body };
}
