import { Agent, request } from 'node:http';
import { percentile } from '../support/figures.ts';
import { expectEqual } from '../support/expect.ts';

/** Throughput and latency of a server under load. */
export interface ServerRate {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Measurements while clients call. */
export interface Turn {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

export interface LoadOptions {
  readonly url: string;
  readonly key: string;
  /** Concurrent clients, each with a persistent connection; each sends the next request after its answer. */
  readonly clients: number;
  readonly forMs: number;
  /** Body of the nth request. */
  readonly bodyOf: (n: number) => string;
  /** Checks an answer; throws when it is not as expected. */
  readonly check: (body: string) => void;
}

/** Sends requests for the given time, and counts them. Every answer is read completely and checked. */
export async function takeTurn(options: LoadOptions): Promise<Turn> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const latenciesMs: number[] = [];
  let asked = 0;
  const startMs = performance.now();

  async function client(): Promise<void> {
    while (performance.now() - startMs < options.forMs) {
      const sentMs = performance.now();
      const body = await post(options, agent, options.bodyOf((asked += 1)));
      latenciesMs.push(performance.now() - sentMs);
      options.check(body);
    }
  }

  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - startMs) / 1000;
  agent.destroy();
  return { seconds, latenciesMs };
}

/** All rounds together. */
export function rateOf(turns: readonly Turn[]): ServerRate {
  const latenciesMs = turns.flatMap((turn) => turn.latenciesMs);
  const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0);
  return {
    requestsPerSecond: Math.round(latenciesMs.length / seconds),
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

function post({ url, key }: LoadOptions, agent: Agent, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/v1/ads/google-ads-search`,
      {
        method: 'POST',
        agent,
        headers: {
          'X-API-Key': key,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          try {
            expectEqual(`The status of an answer (${text.slice(0, 200)})`, response.statusCode, 200);
            resolve(text);
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
