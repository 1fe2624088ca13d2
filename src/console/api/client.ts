import createClient from 'openapi-fetch';
import type { components, paths } from '../../../examples/typescript-client/schema.ts';
import { send } from './send.ts';
import { errorOf } from './request-error.ts';

/** A body of the API by its name in the document. */
export type Body<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The operations of the API, typed by its own document. `read` gives the answer or throws what went wrong. */
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

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Data of a successful answer. @throws Failure for any other answer. */
export async function read<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asked;
  if (response.ok) return data as Data;
  throw await errorOf(new Response(JSON.stringify(error), { status: response.status }));
}
