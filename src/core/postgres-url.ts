/** Kinds of servers that a connection may use, as `target_session_attrs` of libpq names them. */
export const sessionAttributes = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const;
export type SessionAttributes = (typeof sessionAttributes)[number];

/** URL of Postgres, which may name several servers: `postgres://user:pw@h1:5432,h2:5433/nightshift?target_session_attrs=read-write`. */
export interface PostgresUrl {
  /** Decoded; empty without one. */
  readonly user: string;
  readonly password: string;
  /** Servers and database, without the login: `h1:5432,h2:5433/nightshift`. */
  readonly place: string;
  /** Servers in the order of the URL, each as a host with its port if it has one. */
  readonly servers: readonly string[];
  /** For each server, a URL that names it alone. */
  readonly addresses: readonly string[];
  /** Default: `any`, as in libpq. */
  readonly attributes: SessionAttributes;
  /** Time limit of a connection to one server, from `connect_timeout`; null without one. */
  readonly connectMsMax: number | null;
}

/**
 * Parses a URL of Postgres. Several servers are separated by commas, as in libpq, which `URL` and node-postgres do not know.
 *
 * @throws TypeError about the first mistake. It quotes nothing of the login.
 */
export function parsePostgresUrl(text: string): PostgresUrl {
  const { before, servers, after } = splitServers(text);
  const addresses = servers.map((server) => `${before}${server}${after}`);
  const [first] = addresses.map(parseAddress);
  if (first === undefined) throw new TypeError(form);
  const { searchParams, pathname } = first;
  return {
    user: decode(first.username),
    password: decode(first.password),
    place: `${servers.join(',')}${decode(pathname)}`,
    servers,
    addresses,
    attributes: parseAttributes(searchParams.get('target_session_attrs')),
    connectMsMax: parseTimeout(searchParams.get('connect_timeout')),
  };
}

/** Returns the mistake in a URL of Postgres; null without one. */
export function findUrlMistake(text: string): string | null {
  try {
    parsePostgresUrl(text);
    return null;
  } catch (error) {
    return error instanceof TypeError ? error.message : form;
  }
}

/** As `findUrlMistake`, for a login that writes: each connection must be to a server that accepts writes. */
export function findWriterMistake(text: string): string | null {
  const mistake = findUrlMistake(text);
  if (mistake !== null) return mistake;
  const { servers, attributes } = parsePostgresUrl(text);
  if (attributes === 'read-write' || attributes === 'primary') return null;
  if (attributes === 'any' && servers.length === 1) return null;
  return 'needs ?target_session_attrs=read-write: it must lead to the server that accepts writes';
}

/**
 * Returns the URL with another login, database or parameters, for the same servers.
 *
 * @param change receives the URL with the first server alone. Changes of the host or the port are lost.
 */
export function changePostgresUrl(text: string, change: (url: URL) => void): string {
  const { before, servers, after } = splitServers(text);
  const url = parseAddress(`${before}${servers[0] ?? ''}${after}`);
  change(url);
  const changed = splitServers(url.href);
  return `${changed.before}${servers.join(',')}${changed.after}`;
}

/** Returns the URL of a login and its database at the servers of another URL, with the parameters of that one. */
export function atServers(login: string, servers: string): string {
  const { user, password } = parsePostgresUrl(login);
  let database = '';
  changePostgresUrl(login, ({ pathname }) => {
    database = pathname;
  });
  return changePostgresUrl(servers, (url) => {
    url.username = encodeURIComponent(user);
    url.password = encodeURIComponent(password);
    url.pathname = database;
    url.searchParams.delete('options');
  });
}

const form =
  'is not a valid URL. The form is postgres://USER:PASSWORD@HOST:PORT/DATABASE; in a password, encode # / ? @ : % as ' +
  '%23 %2F %3F %40 %3A %25';

/** Splits a URL around its servers: the login ends with the last `@` before the path. */
function splitServers(text: string) {
  const [, before, hosts, after] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is.exec(text) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) throw new TypeError(form);
  const servers = hosts.split(',');
  if (servers.length > 1 && servers.some((server) => server === '' || server.startsWith(':')))
    throw new TypeError('names several servers, one of them without a host: HOST:PORT,HOST:PORT');
  return { before, servers, after };
}

function parseAddress(address: string): URL {
  if (!URL.canParse(address)) throw new TypeError(form);
  const url = new URL(address);
  for (const name of ['host', 'hostaddr', 'port'])
    if (url.searchParams.get(name)?.includes(',') === true)
      throw new TypeError(
        'names several servers as a parameter. Put them before the database: HOST:PORT,HOST:PORT',
      );
  return url;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(form);
  }
}

function parseAttributes(text: string | null): SessionAttributes {
  const found = sessionAttributes.find((attributes) => attributes === (text ?? 'any'));
  if (found === undefined)
    throw new TypeError(`has an unknown target_session_attrs. One of: ${sessionAttributes.join(', ')}`);
  return found;
}

/** Whole seconds, as in libpq; 0 for no limit of its own. */
function parseTimeout(text: string | null): number | null {
  if (text === null || text === '0') return null;
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new TypeError('has a connect_timeout that is not a number of seconds');
  return Number(text) * 1000;
}
