import type { ServerResponse } from 'node:http';

/** Failure of a call. All but `change` are plain data and can be sent to another process. */
export type Failure =
  /**
   * An error status with the contract's error body (docs/architecture/contract.md, 7), and its message. 429, 5xx and 4xx have no effect
   * at the source.
   */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string; readonly says?: string }
  /** A redirect, with status 302 by default. No effect. */
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: number }
  /** Status 200 and text that is not JSON. */
  | { readonly kind: 'malformed' }
  /** Status 200 and this text, such as an HTML page. */
  | { readonly kind: 'text'; readonly text: string }
  /** Status 200 and this JSON. */
  | { readonly kind: 'body'; readonly body: unknown }
  /** Status 200 and the real answer, changed: a key renamed, a type wrong. */
  | { readonly kind: 'change'; readonly change: (answer: Record<string, unknown>) => unknown }
  /** No answer until the caller or the test closes the connection. */
  | { readonly kind: 'hang' }
  /** The connection is cut before the answer, or after half of it. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'middle' }
  /** A valid answer of about this many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number }
  /** An answer that never ends. */
  | { readonly kind: 'endless' };

/** Answers a call that took effect, with the real answer or with the scripted failure. */
export function sendAnswer(
  response: ServerResponse,
  answer: Record<string, unknown>,
  failure?: Failure,
): void {
  switch (failure?.kind) {
    case undefined:
      return sendJson(response, 200, answer);
    case 'malformed':
      return sendText(response, 200, '{"ads": [');
    case 'text':
      return sendText(response, 200, failure.text);
    case 'body':
      return sendJson(response, 200, failure.body);
    case 'change':
      return sendJson(response, 200, failure.change(structuredClone(answer)));
    case 'huge':
      return sendJson(response, 200, { ...answer, padding: 'x'.repeat(failure.bytes) });
    case 'endless':
      return sendEndless(response);
    case 'cut':
      return cut(response, JSON.stringify(answer), failure.when);
    case 'hang':
      return;
    default:
      throw new Error(`a ${failure?.kind} is not an answer`);
  }
}

/** The contract's error body (docs/architecture/contract.md, 7). */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
  says = `The stand-in says ${code}`,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, {
    errors: [{ type: `http://127.0.0.1/errors/${code}`, title: says, status, code }],
    meta: { request_id: `req-${status}`, timestamp: new Date().toISOString() },
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendText(response, status, JSON.stringify(body));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

function cut(response: ServerResponse, text: string, when: 'before' | 'middle'): void {
  if (when === 'before') {
    response.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.destroy());
}

function sendEndless(response: ServerResponse): void {
  const more = () => void (response.destroyed || response.write('x'.repeat(65_536)));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.on('drain', more).write('{"ads": [], "padding": "');
  more();
}
