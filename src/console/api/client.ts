import type { Client } from 'openapi-fetch';
import type { components, paths } from '../../../examples/typescript-client/schema.ts';
import { errorOf } from './request-error.ts';
import { send } from './send.ts';

/** Schema of the API by its name in the OpenAPI document. */
export type Body<Name extends keyof components['schemas']> = components['schemas'][Name];

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Client of the API, typed by its OpenAPI document. `read` returns the data of a response. */
export const api = {
  GET: requestWith('GET'),
  POST: requestWith('POST'),
  PATCH: requestWith('PATCH'),
  DELETE: requestWith('DELETE'),
} as unknown as Pick<Client<paths>, Method>;

type QueryValue = string | number | boolean;
type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | null | undefined>>;

/** Parts of a request as `openapi-fetch` types them; its own code, for every style of the OpenAPI format, is eight times as large. */
interface RequestParts {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Query;
    readonly header?: Readonly<Record<string, string>>;
  };
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

function requestWith(method: Method) {
  return async (template: string, { params = {}, body, signal }: RequestParts = {}) => {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params.path?.[name] ?? ''),
    );
    const response = await send(`${path}${queryText(params.query)}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...params.header },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) throw await errorOf(response);
    return { data: response.status === 204 ? undefined : ((await response.json()) as unknown), response };
  };
}

/** Query with its question mark: a list repeats its name, and fields without a value are left out. */
function queryText(query: Query = {}): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of [value ?? []].flat()) fields.append(name, String(each));
  return fields.size === 0 ? '' : `?${fields.toString()}`;
}

/** Returns the data of a response. @throws RequestError for a response that is not successful. */
export async function read<Data>(request: Promise<{ readonly data?: Data }>): Promise<Data> {
  const { data } = await request;
  return data as Data;
}
