import createClient from 'openapi-fetch';
import type { components, paths } from '../../../examples/typescript-client/schema.ts';
import { send } from './send.ts';
import { errorOf } from './request-error.ts';

/** Schema of the API by its name in the OpenAPI document. */
export type Body<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Client of the API, typed by its OpenAPI document. `read` returns the data of a response or throws its error. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: async (request) =>
    send(request.url, {
      method: request.method,
      headers: request.headers,
      signal: request.signal,
      ...(request.method === 'GET' || request.method === 'HEAD' ? {} : { body: await request.arrayBuffer() }),
    }),
});

interface ApiResult<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the data of a successful response. @throws RequestError for any other response. */
export async function read<Data>(request: Promise<ApiResult<Data>>): Promise<Data> {
  const { data, error, response } = await request;
  if (response.ok) return data as Data;
  throw await errorOf(new Response(JSON.stringify(error), { status: response.status }));
}
