import { Agent, request, type IncomingMessage } from 'node:http';

/** Result of one request of an attacker or a bystander. */
export interface Asked {
  /** 0 if the connection was cut. */
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
  readonly ms: number;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string | Buffer;
}

/** Sends requests to one server. */
export type Ask = (path: string, options?: AskOptions) => Promise<Asked>;

/** Opens a client with its own source address, such as `127.0.0.2`. A cut connection counts as a response with status 0. */
export function openAsker(url: string, localAddress: string, own: Readonly<Record<string, string>> = {}) {
  const agent = new Agent({ keepAlive: true, localAddress, maxSockets: 64 });
  const ask: Ask = (path, { method = 'GET', headers = {}, json, body } = {}) =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      const sent = json === undefined ? body : JSON.stringify(json);
      const sending = request(`${url}${path}`, {
        method,
        agent,
        headers: {
          ...own,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
      });
      const end = (status: number, text: string, answered: IncomingMessage['headers'] = {}) =>
        resolve({ status, text, headers: answered, ms: performance.now() - startedAt });
      sending.on('error', () => end(0, ''));
      sending.on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', () => end(0, ''));
        answer.on('end', () => end(answer.statusCode ?? 0, Buffer.concat(chunks).toString(), answer.headers));
      });
      sending.end(sent);
    });
  return { ask, close: () => agent.destroy() };
}
