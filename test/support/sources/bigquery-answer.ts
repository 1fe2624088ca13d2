import type { ServerResponse } from 'node:http';
import { errorBody, type StandInReply } from './bigquery-jobs.ts';
import type { StandInError } from './bigquery-question.ts';

/** Failure of a call. With `error` and `raw`, the call has no effect. */
export type StandInFailure =
  /** An error in BigQuery's form. */
  | { readonly kind: 'error'; readonly error: StandInError }
  /** The job is accepted and ends with this error. For `insert` only. */
  | { readonly kind: 'job fails'; readonly error: StandInError }
  /** Any response. */
  | { readonly kind: 'raw'; readonly status: number; readonly body: string; readonly location?: string }
  /** The correct response, changed. */
  | { readonly kind: 'change'; readonly change: (body: string) => string }
  /** The call takes effect, and the connection is cut before the response. */
  | { readonly kind: 'cut' }
  /** The call takes effect, and no response is sent. */
  | { readonly kind: 'hang' };

type Raw = Extract<StandInFailure, { kind: 'raw' }>;

/** Sends the reply, or the failure that replaces it. */
export function sendReply(
  response: ServerResponse,
  reply: StandInReply,
  failure: StandInFailure | undefined,
): void {
  if (failure?.kind === 'hang') return;
  if (failure?.kind === 'cut') return void response.destroy();
  if (failure?.kind === 'raw') return sendRaw(response, failure);
  if (failure?.kind === 'error') return sendError(response, failure.error);
  if ('refusal' in reply) return sendRefusal(response, reply.refusal);
  if ('error' in reply) return sendError(response, reply.error);
  const body = JSON.stringify(reply.body);
  sendJson(response, 200, failure?.kind === 'change' ? failure.change(body) : body);
}

function sendRaw(response: ServerResponse, { status, body, location }: Raw): void {
  response.writeHead(status, location === undefined ? {} : { location }).end(body);
}

/** The error form of token endpoints (RFC 6749 §5.2). */
function sendRefusal(response: ServerResponse, words: string): void {
  sendJson(response, 400, JSON.stringify({ error: 'invalid_grant', error_description: words }));
}

/** Sends an error in BigQuery's form. */
export function sendError(response: ServerResponse, error: StandInError): void {
  const { status, message } = error;
  sendJson(
    response,
    status,
    JSON.stringify({ error: { code: status, message, errors: [errorBody(error)] } }),
  );
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(body);
}
