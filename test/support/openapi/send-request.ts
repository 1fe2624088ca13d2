import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** A request that is sent byte for byte: unlike `fetch`, nothing is normalized. */
export interface PlainRequest {
  readonly method: string;
  /** Path as in the request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | null;
}

/** A complete, decompressed response; of an endless event stream, the first event. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Creates a function that sends requests over persistent connections. */
export function createSender(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);

  async function send(request: PlainRequest): Promise<PlainAnswer> {
    const { method, path, headers, body } = request;
    const length = body === null ? {} : { 'Content-Length': String(body.length) };
    return new Promise((resolve, reject) => {
      const asking = ask(
        { agent, hostname, port, method, path, headers: { ...length, ...headers } },
        (response) => void read(response).then(resolve, reject),
      );
      asking.on('error', (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection at the moment of its reuse: the request never arrived.
        if (asking.reusedSocket && error.code === 'ECONNRESET') resolve(send(request));
        else reject(error);
      });
      asking.end(body ?? undefined);
    });
  }

  return { send, close: () => agent.destroy() };
}

async function read(response: IncomingMessage): Promise<PlainAnswer> {
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
  const parts: Buffer[] = [];
  for await (const part of response) {
    parts.push(part as Buffer);
    if (isStream && Buffer.concat(parts).includes('\n\n')) break;
  }
  const body = Buffer.concat(parts);
  const isPacked = response.headers['content-encoding'] === 'gzip' && body.length > 0;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: isPacked ? gunzipSync(body) : body,
  };
}
