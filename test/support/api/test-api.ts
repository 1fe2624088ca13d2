import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { startApi, type RunningApi } from '../../../src/api/start-api.ts';
import { openApp, type App } from '../../../src/app/app.ts';
import { runWorkers } from '../../../src/cli/process/run-workers.ts';
import { readConfig } from '../../../src/config/config.ts';
import { defaultScopes, type Scope } from '../../../src/core/accounts/api-key.ts';
import { createLog } from '../../../src/log.ts';
import { accountReaderOf, createTestDatabase, type TestDatabase } from '../db/database.ts';
import { startDnsServer, type DnsServer, type DnsZone } from '../dns-smtp/dns-server.ts';
import type { Environment } from '../cli/nightshift-process.ts';
import { loadSample } from '../sources/snapshots.ts';

/** Short form of a request. */
export interface Call {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, sent as JSON. */
  readonly json?: unknown;
  /** Body, sent unchanged. */
  readonly body?: string | Uint8Array | ReadableStream;
  readonly signal?: AbortSignal;
}

/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parses the body as JSON; throws if it is invalid. */
  readonly json: () => unknown;
}

/** The error body (docs/architecture/contract.md, 7). */
export interface ProblemBody {
  readonly errors: readonly {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly code: string;
  }[];
  readonly meta: { readonly request_id: string; readonly timestamp: string };
}

/** A real API server on its own database with the sample ads. */
export interface TestApi {
  readonly url: string;
  readonly app: App;
  readonly database: TestDatabase;
  /** The only name server that it queries. */
  readonly dns: DnsServer;
  readonly call: (method: string, path: string, call?: Call) => Promise<Answer>;
  /** Creates an API key. Default: for the account `default`, with every scope but admin. */
  readonly createKey: (options?: {
    account?: string;
    name?: string;
    scopes?: readonly Scope[];
    expiresAt?: Date;
  }) => Promise<string>;
  /** Creates an account with this many credits. */
  readonly createAccount: (name: string, credits?: bigint) => Promise<number>;
  readonly balance: (
    account?: string,
  ) => Promise<{ readonly balanceMicro: bigint; readonly heldMicro: bigint }>;
  /** Broken invariants, as `verify` reports them. */
  readonly findings: () => Promise<readonly string[]>;
  /** Number of rows by table, for tests that expect no change. */
  readonly countRows: () => Promise<Readonly<Record<string, number>>>;
  readonly close: () => Promise<void>;
}

export interface TestApiOptions {
  readonly settings?: Environment;
  /** Server of the rate limits and the queue. Default Postgres. */
  readonly queue?: 'postgres' | 'redis';
  /** DNS records. Default: example.com, with a mail server. */
  readonly zone?: DnsZone;
  /** Start dispatcher and workers, too. Default false. */
  readonly workers?: boolean;
}

const exampleZone: DnsZone = {
  'example.com': { MX: [[10, 'mx.example.com']], TXT: ['v=spf1 mx -all'] },
  'mx.example.com': { A: ['93.184.216.34'] },
};

/** Limits that no test reaches by accident. */
const wide = {
  NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: '1000000',
  NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: '1000000',
  NIGHTSHIFT_BAD_KEYS_PER_MINUTE: '1000000',
};

/** Opens the server; the caller closes it. */
export async function openTestApi({
  settings = {},
  queue = 'postgres',
  workers = false,
  zone = exampleZone,
}: TestApiOptions = {}): Promise<TestApi> {
  const dns = await startDnsServer(zone);
  const database = await createTestDatabase();
  const home = mkdtempSync(join(tmpdir(), 'nightshift-api-'));
  const config = readConfig({
    DATABASE_URL: database.url,
    NIGHTSHIFT_ACCOUNT_READER_URL: accountReaderOf(database.url),
    NIGHTSHIFT_HOME: home,
    NIGHTSHIFT_SOURCES: 'sample',
    PORT: '0',
    NIGHTSHIFT_DNS_SERVERS: dns.server,
    NIGHTSHIFT_DNS_TIMEOUT_SECONDS: '1',
    ...wide,
    ...onQueue(queue),
    ...settings,
  });
  const app = await openApp(config, { log: createLog('silent'), onProgress: () => undefined });
  await loadSample(app.sources.snapshots);
  const running = workers ? await runWorkers(app) : null;
  const api: RunningApi = await startApi(app);
  const accountOf = (name = 'default') => app.accounts.store.find(name);

  return {
    url: api.url,
    app,
    database,
    dns,
    call: (method, path, call) => request(`${api.url}${path}`, method, call),
    createKey: async ({ account, name = 'test', scopes = defaultScopes, expiresAt = null } = {}) => {
      const by = { actor: 'test', address: null };
      return (await app.accounts.keys.create(await accountOf(account), { name, scopes, expiresAt }, by)).key;
    },
    createAccount: async (name, credits = 0n) => {
      const accountId = await app.accounts.store.create(name);
      if (credits > 0n)
        await app.credits.ledger.grant(accountId, [
          { key: null, amountMicro: credits * 1_000_000n, reason: 'test' },
        ]);
      return accountId;
    },
    balance: async (account) => app.credits.ledger.readBalance(await accountOf(account)),
    findings: async () => (await app.work.verify.check({})).flatMap(({ broken }) => broken),
    countRows: () => countRows(database),
    close: async () => {
      await api.close();
      await running?.close();
      await app.close();
      await database.close();
      await dns.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Opens a server that all tests of a block share. */
export function useTestApi(options: TestApiOptions = {}): () => TestApi {
  let service: TestApi | undefined;
  beforeAll(async () => {
    service = await openTestApi(options);
  });
  afterAll(() => service?.close());
  return () => {
    if (service === undefined) throw new Error('The server is there once the tests run.');
    return service;
  };
}

/** Sends a request and reads the complete response. */
export async function request(
  url: string,
  method: string,
  { key, headers, json, body, signal }: Call = {},
): Promise<Answer> {
  const sent = json === undefined ? body : JSON.stringify(json);
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'X-API-Key': key }),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent, duplex: 'half' }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: () => JSON.parse(text) as unknown,
  };
}

/** Error codes of a response, in order. */
export function codesOf(answer: Answer): readonly string[] {
  return (answer.json() as ProblemBody).errors.map(({ code }) => code);
}

const counted = [
  'lookups',
  'batches',
  'batch_rows',
  'chunks',
  'ledger_entries',
  'api_keys',
  'idempotency_keys',
  'lookup_answers',
];

async function countRows({ owner }: TestDatabase): Promise<Readonly<Record<string, number>>> {
  const counts = await Promise.all(
    counted.map(async (table) => {
      const found = await owner.pool.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM nightshift.${table}`,
      );
      return [table, found.rows[0]?.n ?? 0] as const;
    }),
  );
  return Object.fromEntries(counts);
}

function onQueue(queue: 'postgres' | 'redis'): Environment {
  if (queue === 'postgres') return {};
  const redisUrl = inject('redisUrl');
  if (redisUrl === null) throw new Error('There is no Redis.');
  return { REDIS_URL: redisUrl, NIGHTSHIFT_QUEUE_PREFIX: `{test-${randomBytes(6).toString('hex')}}` };
}
