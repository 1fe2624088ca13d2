import pg from 'pg';
import { parsePostgresUrl, type PostgresUrl, type SessionAttributes } from '../../src/core/postgres-url.ts';
import { isDatabaseAway } from './database-away.ts';
import { errorCode } from './error-code.ts';

/** Time limit of a connection to one of several servers: a dead machine must not keep the others from being tried. */
const connectMsMax = 5000;
/** Time limit of a connection to the only server. */
const onlyConnectMsMax = 10_000;
/** Time for which a server that was fine is used without another look. */
const confirmedMs = 5000;

/** SQLSTATE of a server, or of a login, that has as many connections as it may have. */
const tooManyConnections = '53300';

/** State of a server, as it reports it. */
export interface ServerState {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

/** Reads `ServerState`; a connection runs it before its first statement. */
export const readState =
  `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"` as const;

/** The servers of a URL, and what this process knows about them. All connections with the URL share it. */
export interface ServerChoice {
  readonly attributes: SessionAttributes;
  /** Time limit of a connection to one server, in milliseconds. */
  readonly connectMsMax: number;
  /** Address of the first server. */
  readonly first: string;
  /**
   * Returns the address of a server with the attributes: the one that was last fine, else the first in the order of the URL, in which a server
   * that was lost comes last. Callers at the same moment share one search.
   *
   * @throws the error of `noServer` when none has them, or none is reached; and the error of a server that rejects the login.
   */
  choose(): Promise<string>;
  /** Forgets that a server was fine: a connection to it was lost or refused, or it is another kind of server now. */
  forget(address: string): void;
}

/** No server of a URL can be used at the moment. `code` is that of a refused connection, on which drivers wait and try again. */
class NoServer extends Error {
  override readonly name = 'NoServer';
  readonly code = 'ECONNREFUSED';
}

/** True for the error of a URL none of whose servers can be used at the moment. */
export function isNoServer(error: unknown): error is Error {
  return error instanceof NoServer;
}

const choices = new Map<string, ServerChoice>();

/** Returns the choice of servers of a URL, the same for every connection of this process. */
export function serverChoiceOf(url: string): ServerChoice {
  const known = choices.get(url);
  if (known !== undefined) return known;
  const parsed = parsePostgresUrl(url);
  const choice = parsed.addresses.length === 1 ? onlyServer(parsed) : severalServers(parsed);
  choices.set(url, choice);
  return choice;
}

function onlyServer({ addresses: [first = ''], attributes, connectMsMax: ms }: PostgresUrl): ServerChoice {
  return {
    attributes,
    connectMsMax: ms ?? onlyConnectMsMax,
    first,
    choose: () => Promise.resolve(first),
    forget: () => undefined,
  };
}

function severalServers(url: PostgresUrl): ServerChoice {
  const { addresses, attributes } = url;
  const timeoutMs = url.connectMsMax ?? connectMsMax;
  let order = [...addresses];
  let last: string | null = null;
  let confirmedAtMs = -Infinity;
  let searching: Promise<string> | null = null;

  async function search(): Promise<string> {
    try {
      const inOrder = order.toSorted((a, b) => Number(b === last) - Number(a === last));
      last = await findServer(url, inOrder, timeoutMs);
      confirmedAtMs = performance.now();
      return last;
    } finally {
      searching = null;
    }
  }

  return {
    attributes,
    connectMsMax: timeoutMs,
    first: addresses[0] ?? '',
    choose: () => {
      if (last !== null && performance.now() - confirmedAtMs < confirmedMs) return Promise.resolve(last);
      return (searching ??= search());
    },
    forget: (address) => {
      if (address !== last) return;
      last = null;
      order = [...order.filter((other) => other !== address), address];
    },
  };
}

/** Looks at each server in turn, with a connection of its own. */
async function findServer(
  { attributes, servers, addresses }: PostgresUrl,
  inOrder: readonly string[],
  timeoutMs: number,
): Promise<string> {
  const findings: string[] = [];
  let reserve: string | null = null;
  let cause: unknown;
  for (const address of inOrder) {
    const server = servers[addresses.indexOf(address)] ?? '';
    try {
      const state = await look(address, timeoutMs);
      if (isSuitable(attributes, state)) return address;
      reserve ??= address;
      findings.push(`${server} is ${describe(state)}`);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      const isFull = errorCode(error) === tooManyConnections;
      // A full server has a remedy.
      if (cause === undefined || isFull) cause = error;
      findings.push(`${server} ${isFull ? 'has no connection left' : 'is unreachable'}`);
    }
  }
  if (attributes === 'prefer-standby' && reserve !== null) return reserve;
  throw noServer(attributes, findings.join(', '), cause);
}

async function look(address: string, timeoutMs: number): Promise<ServerState> {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'nightshift',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return stateOf(await client.query<ServerState>(readState));
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Returns the row of `readState`. */
export function stateOf({ rows: [state] }: { readonly rows: readonly ServerState[] }): ServerState {
  if (state === undefined) throw new Error('Postgres answered no row about itself.');
  return state;
}

/** True if the state fits the attributes; for `prefer-standby`, true for a standby. */
export function isSuitable(attributes: SessionAttributes, { isStandby, isReadOnly }: ServerState): boolean {
  switch (attributes) {
    case 'any':
      return true;
    case 'read-write':
      return !isReadOnly;
    case 'read-only':
      return isReadOnly;
    case 'primary':
      return !isStandby;
    case 'standby':
    case 'prefer-standby':
      return isStandby;
  }
}

function describe({ isStandby, isReadOnly }: ServerState): string {
  if (isStandby) return 'a standby';
  return isReadOnly ? 'read-only' : 'a primary';
}

/** Creates the error for servers none of which has the attributes. `findings`: one clause per server. */
export function noServer(attributes: SessionAttributes, findings: string, cause?: unknown): Error {
  const asked =
    attributes === 'read-write' || attributes === 'primary' ? 'accepts writes' : `is "${attributes}"`;
  return new NoServer(`No server of the Postgres URL ${asked}: ${findings}.`, { cause });
}
