import pg from 'pg';
import { changePostgresUrl, parsePostgresUrl } from '../../src/core/postgres-url.ts';
import {
  isSuitable,
  noServer,
  readState,
  serverChoiceOf,
  stateOf,
  type ServerChoice,
  type ServerState,
} from './choose-server.ts';
import { endWhenSilent } from './silent-server.ts';

/** Options of a connection; `connectionString` may name several servers. */
export interface ConnectionOptions {
  readonly connectionString: string;
  /** Command-line switches of the session, such as `-c role=nightshift_app`. */
  readonly options?: string;
  /** Shown in `pg_stat_activity`. */
  readonly application_name: string;
}

/** Silence after which the system asks a peer whether it is still there, in milliseconds. Node repeats it each second, ten times. */
const keepAliveAfterMs = 5000;

/**
 * Settings of a session that end it when its client has not answered at all for half a minute. Postgres would keep the sessions of a host that was
 * cut off for up to two hours: with those that the host opens when it is back, they use up `max_connections`. None for a client on the machine of
 * the server, which cannot be cut off, and whose system may not know the last setting.
 */
export function silentClientSettings(url: string): Readonly<Record<string, number>> {
  if (parsePostgresUrl(url).servers.every((server) => sameMachine.test(server))) return {};
  return {
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 4,
    // With data on the way there are no keepalives. In milliseconds.
    tcp_user_timeout: 30_000,
  };
}

const sameMachine = /^(localhost|127\.|\[::1\]|%2F|$)/i;

/** Switches of a session (`ConnectionOptions.options`) with these settings. */
export function switchesOf(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/**
 * Options of sessions with these settings from the first statement on. The driver would let switches in the URL replace ours, so they are joined
 * here; ours come last and win.
 */
export function sessionOptions(
  url: string,
  settings: Readonly<Record<string, string | number>>,
): Required<Pick<ConnectionOptions, 'connectionString' | 'options'>> {
  let given = '';
  const connectionString = changePostgresUrl(url, ({ searchParams }) => {
    given = searchParams.get('options') ?? '';
    searchParams.delete('options');
  });
  // A user may have other settings for a silent client.
  const switches = [switchesOf(silentClientSettings(url)), given, switchesOf(settings)];
  return { connectionString, options: switches.filter((text) => text !== '').join(' ') };
}

type OnConnected = (error: Error | null, client?: pg.Client) => void;

/**
 * Connection to one of the servers of a URL (`parsePostgresUrl`). It connects to a server with the attributes of the URL, and breaks
 *
 * - when the server no longer answers at all (`endWhenSilent`);
 * - when a COMMIT returns without the confirmation of the synchronous standby, because the wait was cancelled: the transaction could be lost
 *   with the primary, so it must not count as done.
 *
 * Every connection of Nightshift to its own database is one of these.
 */
export class PostgresClient extends pg.Client {
  readonly #servers: ServerChoice;

  constructor(config: pg.ClientConfig = {}) {
    const { connectionString = '' } = config;
    const servers = serverChoiceOf(connectionString);
    super({
      ...config,
      connectionString: servers.first,
      connectionTimeoutMillis: servers.connectMsMax,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
    this.#servers = servers;
    this.on('notice', (notice) => {
      if (isUnconfirmedCommit(notice))
        this.#break(new Error('Connection terminated: the standby did not confirm the COMMIT'));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: OnConnected): void;
  override connect(callback?: OnConnected): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(
      () => callback(null, this),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
    return undefined;
  }

  async #connect(): Promise<this> {
    const { attributes } = this.#servers;
    const address = await this.#servers.choose();
    const forget = () => this.#servers.forget(address);
    // Also an end that the client did not ask for. From the start: the server may end the session in the packet that opens it.
    const losses: Error[] = [];
    this.on('error', (error) => {
      losses.push(error);
      forget();
    });
    try {
      // The driver reads these when it connects. All else is the same for every server.
      if (address !== this.#servers.first) Object.assign(this, hostOf(address));
      await super.connect();
      endWhenSilent(this);
      if (losses[0] !== undefined) throw losses[0];
      if (attributes !== 'any') await this.#check();
    } catch (error) {
      forget();
      throw error;
    }
    return this;
  }

  /** The server may have changed since it was chosen, and one address can lead to several servers. */
  async #check(): Promise<void> {
    const { attributes } = this.#servers;
    if (attributes === 'prefer-standby') return;
    const state = stateOf(await this.query<ServerState>(readState));
    if (isSuitable(attributes, state)) return;
    await super.end().catch(() => undefined);
    throw noServer(
      attributes,
      `${this.host}:${this.port} is ${state.isReadOnly ? 'read-only' : 'a primary'}`,
    );
  }

  /** Fails the statements that wait for an answer, and closes the connection. */
  #break(error: Error): void {
    this.connection.emit('error', error);
    this.connection.stream.destroy();
  }
}

/** Postgres translates its messages, but not the name of the routine: both notices of this one are about a wait that was cancelled. */
function isUnconfirmedCommit({ routine }: { readonly routine?: string | undefined }): boolean {
  return routine === 'SyncRepWaitForLSN';
}

function hostOf(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(address);
  return {
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (pg.defaults.port ?? 5432) : Number(port),
  };
}

/** Creates a connection, which the caller connects and ends. Its loss while idle is no event of the process. */
export function createClient(options: ConnectionOptions): PostgresClient {
  const client = new PostgresClient({ ...options });
  client.on('error', () => undefined);
  return client;
}

/** Runs `use` on a connection of its own, and ends it. @throws the error of the connection, or of `use` */
export async function withConnection<T>(
  options: ConnectionOptions,
  use: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const client = createClient(options);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}
