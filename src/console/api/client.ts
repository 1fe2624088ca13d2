import type { Client } from 'openapi-fetch';
import type { components, paths } from '../../../examples/typescript-client/schema.ts';
import { send } from './send.ts';
import { errorOf } from './request-error.ts';

/** Schema of the API by its name in the OpenAPI document. */
export type Body<Name extends keyof components['schemas']> = components['schemas'][Name];

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** Client of the API, typed by its OpenAPI document. `read` returns the data of a response or throws its error. */
export const api = Object.fromEntries(
  methods.map((method) => [method, (path: string, options?: Options) => request(method, path, options)]),
) as unknown as Pick<Client<paths>, (typeof methods)[number]>;

/** Options of a request, as the client of the document has them. */
interface Options {
  readonly params?: {
    readonly path?: Readonly<Record<string, string | number>>;
    readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
    readonly header?: Readonly<Record<string, string>>;
  };
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

interface ApiResult<Data> {
  readonly data?: Data;
  readonly response: Response;
}

/** Sends a request with its parameters. @throws RequestError when the server cannot be reached. */
async function request(
  method: string,
  path: string,
  { params = {}, body, signal }: Options = {},
): Promise<ApiResult<unknown>> {
  const values = params.path ?? {};
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  const init: RequestInit = { method, headers: { ...params.header }, ...(signal && { signal }) };
  if (body !== undefined) {
    init.headers = { ...params.header, 'Content-Type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const text = query.toString();
  const response = await send(text === '' ? url : `${url}?${text}`, init);
  return { response, data: response.ok && response.status !== 204 ? await response.json() : undefined };
}

/** Returns the data of a successful response. @throws RequestError for any other response. */
export async function read<Data>(sent: Promise<ApiResult<Data>>): Promise<Data> {
  const { data, response } = await sent;
  if (response.ok) return data as Data;
  throw await errorOf(response);
}
