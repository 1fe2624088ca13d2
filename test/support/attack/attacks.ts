import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { forbiddenStatements, greedyQueries, refusedQueries } from '../db/hostile-statements.ts';
import type { Ask } from './ask.ts';

/** An attacker with an own account. */
export interface Attacker {
  /** Sends requests with the attacker's key, which has every scope. */
  readonly ask: Ask;
  /** Sends requests without a key. */
  readonly askBare: Ask;
  readonly url: string;
  readonly key: string;
  /** Database login of the attacker's account. */
  readonly databaseUrl: string;
  readonly ownBatch: string;
  /** Ids of other accounts. */
  readonly foreignBatches: readonly string[];
  readonly foreignLogin: string;
  /** Receives every response text, so that the caller can search it for data of others. */
  readonly onText: (text: string) => void;
}

/** A kind of attack, repeated by concurrent attackers. */
export interface Attack {
  readonly name: string;
  readonly atOnce: number;
  /** Runs attempt `n`, counted over all attackers. */
  readonly once: (attacker: Attacker, n: number) => Promise<unknown>;
}

export const attacks: readonly Attack[] = [
  {
    name: 'queries that are refused',
    atOnce: 8,
    once: ({ ask }, n) => ask('/v1/sql', sql(at(refusedQueries, n).statement)),
  },
  {
    name: 'queries without bound',
    atOnce: 12,
    once: ({ ask }, n) => ask('/v1/sql', sql(at(greedyQueries, n).statement)),
  },
  { name: 'passwords', atOnce: 20, once: tryPassword },
  { name: 'keys that nobody has', atOnce: 10, once: tryKey },
  { name: 'links to reports that nobody has', atOnce: 10, once: tryLink },
  { name: 'the own login to the database', atOnce: 6, once: misuseLogin },
  { name: 'exports and events that nobody reads', atOnce: 40, once: openStreams },
  { name: 'ids of others', atOnce: 8, once: askForeign },
  { name: 'broken requests', atOnce: 10, once: sendBroken },
  { name: 'keys, schedules and webhooks by the hundred', atOnce: 6, once: createHundreds },
  { name: 'lists by the dozen', atOnce: 4, once: uploadList },
];

function at<T>(all: readonly T[], n: number): T {
  const one = all[n % all.length];
  if (one === undefined) throw new Error('The list is empty.');
  return one;
}

function sql(query: string) {
  return { method: 'POST', json: { query } };
}

/** Half of the attempts use the name of an existing user. */
function tryPassword({ askBare, foreignLogin }: Attacker, n: number): Promise<unknown> {
  const login = n % 2 === 0 ? foreignLogin : `nobody-${n}@example.com`;
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  return askBare('/v1/session', { method: 'POST', headers, json: { login, password: `guess number ${n}` } });
}

function tryKey({ askBare }: Attacker, n: number): Promise<unknown> {
  const key = `nsk_live_${n.toString(16).padStart(64, '0')}`;
  return askBare('/v1/credits', { headers: { 'X-API-Key': key } });
}

/** A guessed token, the beginning of a path, and a path that tries to leave its folder. */
async function tryLink({ askBare }: Attacker, n: number): Promise<void> {
  const guess = Buffer.from(n.toString(16).padStart(64, '0'), 'hex').toString('base64url');
  for (const end of [guess, '', `${guess}/..`, '%2e%2e%2fmetrics', 'x'.repeat(5000)])
    await askBare(`/shared/reports/${end}`);
}

/** Runs forbidden statements in a session, then one that leaves its transaction open. */
async function misuseLogin({ databaseUrl, onText }: Attacker, n: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  const tell = (statement: string) =>
    client.query(statement).then(
      ({ rows }) => onText(JSON.stringify(rows)),
      (error: unknown) => onText(String(error)),
    );
  try {
    await client.connect();
    for (let i = 0; i < 10; i++) await tell(at(forbiddenStatements, n * 10 + i).statement);
    await tell('EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM lookups');
    await tell('SELECT * FROM rows; SELECT * FROM credit_balances; SELECT query FROM pg_stat_activity');
    await tell('SET statement_timeout = 3000; SELECT count(*) FROM generate_series(1, 1000000000)');
    await tell('BEGIN; SELECT 1');
    await sleep(500);
  } catch (error) {
    onText(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Requests a long response and never reads it. */
async function openStreams({ url, key, ownBatch }: Attacker, n: number): Promise<void> {
  const path =
    n % 2 === 0 ? `/v1/batches/${ownBatch}/export?shape=variants` : `/v1/batches/${ownBatch}/events`;
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' });
  socket.on('error', () => undefined).pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n\r\n`);
  await sleep(1500);
  socket.destroy();
}

async function askForeign({ ask, foreignBatches }: Attacker, n: number): Promise<void> {
  const id = at(foreignBatches, n);
  const paths = ['', '/rows', '/export', '/events', '/timeline', '/pace', '/facets', '/rejected', '/charts'];
  await ask(`/v1/batches/${id}${at(paths, n)}`);
  await ask(`/v1/batches/${id}/cancel`, { method: 'POST' });
  await ask(`/v1/ads/${n + 1}/observations`);
  await ask(`/v1/emails?batch=${id}`);
  await ask(`/v1/batches/${id}/report-links`, { method: 'POST' });
  await ask('/v1/operator/accounts');
}

/** 30 MB, compressed to 30 kB. */
const bomb = gzipSync(Buffer.alloc(30_000_000));

function sendBroken({ ask, askBare }: Attacker, n: number): Promise<unknown> {
  const json = { 'Content-Type': 'application/json' };
  const post = { method: 'POST', headers: json };
  const broken = [
    () => ask('/v1/ads/google-ads-search', { ...post, body: '{"company_name": "a\\u0000b"}' }),
    () => ask('/v1/ads/google-ads-search', { ...post, body: '['.repeat(200_000) }),
    () =>
      ask('/v1/batches', {
        ...post,
        headers: { 'Content-Type': 'text/csv' },
        body: Buffer.from([0, 1, 2, 0xff]),
      }),
    () =>
      ask('/v1/batches', {
        ...post,
        headers: { ...json, 'Content-Encoding': 'gzip' },
        body: bomb,
      }),
    () => ask(`/v1/batches?cursor=${'a'.repeat(7000)}`),
    () => ask('/v1/batches/%00', {}),
    () => ask('/v1/batches/bat_%F0%80', {}),
    () => ask('/v1/sql', { ...post, body: JSON.stringify({ query: 'select 1'.padEnd(59_999) }) }),
    () => askBare(`/${'../'.repeat(500)}etc/passwd`),
    () => askBare('/v1/credits', { headers: { 'X-API-Key': 'x'.repeat(8000) } }),
  ];
  return at(broken, n)();
}

async function createHundreds({ ask }: Attacker, n: number): Promise<void> {
  await ask('/v1/account/api-keys', { method: 'POST', json: { name: `key ${n}` } });
  await ask('/v1/schedules', {
    method: 'POST',
    json: { name: `watch ${n}`, cron: '0 3 * * *', companies: [{ company_domain: 'nike.com' }] },
  });
  await ask('/v1/webhooks', { method: 'POST', json: { name: `hook ${n}`, url: 'https://127.0.0.1/hook' } });
  await ask('/v1/webhooks', {
    method: 'POST',
    json: { name: `mail ${n}`, email: `somebody-${n}@example.com` },
  });
}

/** Uploads companies of the sample, which cause work, ads and a report. */
function uploadList({ ask }: Attacker, n: number): Promise<unknown> {
  const rows = Array.from({ length: 500 }, (_, i) => `load-${n}-${i}.com\n`);
  return ask('/v1/batches', {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': `load-${n}` },
    body: `domain\nnike.com\nadidas.com\n${rows.join('')}`,
  });
}
