import { Misconfigured } from '../errors.ts';

/** Host and port of a server. */
export interface RedisEndpoint {
  readonly host: string;
  readonly port: number;
}

/** Login at Redis or at its sentinels. */
export interface RedisLogin {
  /** Null: the user `default`. */
  readonly user: string | null;
  readonly password: string;
}

interface RedisAccess {
  readonly login: RedisLogin | null;
  /** True if connections use TLS. */
  readonly isEncrypted: boolean;
}

/** One server. */
export interface RedisServer extends RedisAccess {
  readonly kind: 'server';
  readonly server: RedisEndpoint;
  readonly database: number;
}

/** Cluster, by some of its nodes. It has no databases besides 0. */
export interface RedisCluster extends RedisAccess {
  readonly kind: 'cluster';
  readonly nodes: readonly RedisEndpoint[];
}

/** Master that sentinels name. */
export interface RedisMaster extends RedisAccess {
  readonly kind: 'sentinel';
  readonly sentinels: readonly RedisEndpoint[];
  readonly sentinelLogin: RedisLogin | null;
  /** Name of the master. */
  readonly master: string;
  readonly database: number;
}

/** Servers that `REDIS_URL` names. */
export type RedisAddress = RedisServer | RedisCluster | RedisMaster;

const redisPort = 6379;
const sentinelPort = 26_379;
const sentinelParameters = ['sentinelUsername', 'sentinelPassword', 'tls'];

const serverForm = 'redis://USER:PASSWORD@HOST:PORT/DATABASE';
const sentinelForm = 'sentinel://USER:PASSWORD@HOST:26379,HOST:26379/NAME/DATABASE';
const encodeHint =
  'in a password, encode # / ? @ : , % as %23 %2F %3F %40 %3A %2C %25, and write a password without a user as :PASSWORD@';

/**
 * Parses `REDIS_URL`: `redis://` or `rediss://` (TLS), several nodes of a cluster separated by commas, or
 * `sentinel://[user:password@]host:26379,host:26379/NAME[/DATABASE]`.
 *
 * @throws Misconfigured whose message continues "REDIS_URL: " and does not quote the value, which contains a password.
 */
export function parseRedisAddress(text: string): RedisAddress {
  const scheme = /^(rediss?|sentinel):\/\//.exec(text)?.[1];
  if (scheme === undefined) throw new Misconfigured('must begin with redis://, rediss:// or sentinel://');
  if (scheme === 'sentinel') return parseMaster(split(text, sentinelForm));
  const nodes = text.split(',').map((node) => node.trim());
  const [first, ...others] = nodes.map((node) =>
    split(node.includes('://') ? node : `${scheme}://${node}`, serverForm),
  );
  if (first === undefined) throw invalid(serverForm);
  return others.length === 0 ? parseServer(first) : parseCluster([first, ...others]);
}

interface UrlParts {
  readonly form: string;
  readonly scheme: string;
  readonly login: RedisLogin | null;
  readonly hosts: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Splits a URL whose hosts may be a list, which `URL` rejects. */
function split(text: string, form: string): UrlParts {
  const parts = /^(\w+):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(text);
  if (parts === null) throw invalid(form);
  const [, scheme = '', login, hosts = '', path = '', query = ''] = parts;
  return {
    form,
    scheme,
    hosts,
    path,
    login: login === undefined ? null : parseLogin(login, form),
    query: new URLSearchParams(query),
  };
}

function invalid(form: string): Misconfigured {
  return new Misconfigured(`is not a valid URL. The form is ${form}; ${encodeHint}`);
}

function parseLogin(text: string, form: string): RedisLogin {
  const [, user, password] = /^([^:]*):([^:]+)$/.exec(text) ?? [];
  if (user === undefined || password === undefined) throw invalid(form);
  try {
    return { user: user === '' ? null : decodeURIComponent(user), password: decodeURIComponent(password) };
  } catch {
    throw invalid(form);
  }
}

function parseEndpoint(text: string, standardPort: number, form: string): RedisEndpoint {
  const [, host = '', port = String(standardPort)] =
    /^(\[[\da-f:.]+\]|[^\s:[\]]+)(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  if (host === '' || Number(port) === 0 || Number(port) > 65_535) throw invalid(form);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function parseDatabase(text: string): number {
  if (text === '') return 0;
  if (!/^\d{1,6}$/.test(text)) throw new Misconfigured('must have a number as its database, such as /0');
  return Number(text);
}

function parseServer({ form, scheme, login, hosts, path, query }: UrlParts): RedisServer {
  rejectParameters(query, []);
  return {
    kind: 'server',
    server: parseEndpoint(hosts, redisPort, form),
    database: parseDatabase(path),
    login,
    isEncrypted: scheme === 'rediss',
  };
}

function parseCluster(parts: readonly [UrlParts, ...UrlParts[]]): RedisCluster {
  const servers = parts.map(parseServer);
  const [{ login, scheme }] = parts;
  if (servers.some(({ database }) => database !== 0))
    throw new Misconfigured('must not name a database: a cluster has only database 0');
  const isAlike = (other: UrlParts) =>
    other.scheme === scheme &&
    (other.login === null || (other.login.user === login?.user && other.login.password === login.password));
  if (!parts.every(isAlike))
    throw new Misconfigured(
      'must have the same scheme and the same login at every node of the cluster. The login of the first node holds for all',
    );
  return {
    kind: 'cluster',
    nodes: servers.map(({ server }) => server),
    login,
    isEncrypted: scheme === 'rediss',
  };
}

function parseMaster({ form, login, hosts, path, query }: UrlParts): RedisMaster {
  const sentinels = hosts.split(',').map((host) => parseEndpoint(host, sentinelPort, form));
  const [master = '', database = '', ...more] = path.split('/');
  // The names that Sentinel accepts in its configuration.
  if (!/^[\w.-]+$/.test(master) || more.length > 0)
    throw new Misconfigured(`must name the master after the sentinels. The form is ${sentinelForm}`);
  rejectParameters(query, sentinelParameters);
  const tls = query.get('tls') ?? 'false';
  if (tls !== 'true' && tls !== 'false') throw new Misconfigured('must have true or false as its tls');
  return {
    kind: 'sentinel',
    sentinels,
    sentinelLogin: parseSentinelLogin(query),
    master,
    database: parseDatabase(database),
    login,
    isEncrypted: tls === 'true',
  };
}

function parseSentinelLogin(query: URLSearchParams): RedisLogin | null {
  const [user, password] = [query.get('sentinelUsername'), query.get('sentinelPassword')];
  if (password !== null && password !== '') return { user, password };
  if (user === null && password === null) return null;
  throw new Misconfigured(
    'must have a sentinelPassword that is not empty, with or without a sentinelUsername',
  );
}

/** Rejects unknown parameters, without quoting them: what is not encoded in a password can be read as one. */
function rejectParameters(query: URLSearchParams, known: readonly string[]): void {
  if ([...query.keys()].every((name) => known.includes(name))) return;
  const may = known.length === 0 ? 'none are known' : `known are ${known.join(', ')}`;
  throw new Misconfigured(`has an unknown parameter after the question mark; ${may}`);
}
