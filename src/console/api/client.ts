import type { Client } from 'openapi-fetch';
import type { components, paths } from '../../../examples/typescript-client/schema.ts';
import { send } from './send.ts';
import { errorOf } from './request-error.ts';

/** Schema of the API by its name in the OpenAPI document. */
export type Body<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Parts of a request. */
interface RequestParts {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, string>>;
  };
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Client of the API, typed by its OpenAPI document. `read` returns the data of a response or throws its error. */
export const api = {
  GET: sender('GET'),
  POST: sender('POST'),
  PATCH: sender('PATCH'),
  DELETE: sender('DELETE'),
} as Pick<Client<paths>, 'GET' | 'POST' | 'PATCH' | 'DELETE'>;

function sender(method: string) {
  return async (template: string, { params: { path, query = {}, header } = {}, body, signal }: RequestParts = {}) => {
    const to = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path?.[name] ?? ''));
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, given]) =>
        [given].flat().flatMap((value) => (value === undefined ? [] : [[name, `${value as string}`]])),
      ),
    );
    const response = await send(`${to}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: { ...header, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(signal && { signal }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response };
  };
}

interface ApiResult<Data> {
  /** Only its type: `read` parses the response. */
  readonly data?: Data;
  readonly response: Response;
}

/** Returns the data of a successful response. @throws RequestError for any other response. */
export async function read<Data>(request: Promise<ApiResult<Data>>): Promise<Data> {
  const { response } = await request;
  if (!response.ok) throw await errorOf(response);
  return (response.status === 204 ? undefined : await response.json()) as Data;
}
