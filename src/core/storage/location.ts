import { ValidationError } from '../errors.ts';

/** Kinds of places that lists arrive in and results land in. */
export const locationKinds = ['folder', 's3', 'sftp', 'https', 'postgres'] as const;
export type LocationKind = (typeof locationKinds)[number];

/** A place outside of Nightshift, without credentials. */
export type Location = FolderLocation | S3Location | SftpLocation | HttpsLocation | PostgresLocation;

/** A folder that every process of Nightshift sees under the same path. */
export interface FolderLocation {
  readonly kind: 'folder';
  /** Absolute. */
  readonly path: string;
}

export interface S3Location {
  readonly kind: 's3';
  readonly bucket: string;
  /** Beginning of all keys, empty or with a slash at its end. */
  readonly prefix: string;
  /** Origin of the service, such as https://s3.eu-central-1.amazonaws.com. Buckets are part of the path. */
  readonly endpoint: string;
  readonly region: string;
}

export interface SftpLocation {
  readonly kind: 'sftp';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Absolute, or relative to the folder that the server opens. */
  readonly path: string;
  /** Key of the server as `ssh-keygen -l` shows it, `SHA256:…`. Null until the first connection has recorded it. */
  readonly hostKey: string | null;
}

export interface HttpsLocation {
  readonly kind: 'https';
  readonly url: string;
}

export interface PostgresLocation {
  readonly kind: 'postgres';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** As in libpq. `disable` needs an allowed host. */
  readonly sslMode: 'require' | 'verify-full' | 'disable';
}

/** Parts of a location that a person states besides its URL. */
export interface LocationOptions {
  /** S3: origin of the service. Default: that of Amazon in the region. */
  readonly endpoint?: string | undefined;
  /** S3: region. Default us-east-1. */
  readonly region?: string | undefined;
  /** SFTP: key of the server, `SHA256:…`. */
  readonly hostKey?: string | undefined;
}

/** Maximum length of an address. */
export const addressCharsMax = 2000;
const standardRegion = 'us-east-1';

/**
 * Parses a location: `/folder`, `s3://bucket/prefix`, `sftp://user@host/folder`, `https://host/file.csv`, `postgres://user@host/database`.
 *
 * @throws ValidationError for other texts, and for a URL with a password or key in it: credentials are stored apart.
 */
export function parseLocation(text: string, options: LocationOptions = {}): Location {
  const address = text.trim();
  if (address.length > addressCharsMax) throw wrong('it is too long');
  if (address.startsWith('/')) return { kind: 'folder', path: folderPath(address) };
  if (!URL.canParse(address)) throw wrong('it is neither an absolute folder nor a URL');
  const url = new URL(address);
  if (url.password !== '') {
    throw wrong('it contains a password. Leave it out of the address and give the credentials separately');
  }
  switch (url.protocol) {
    case 'file:':
      return { kind: 'folder', path: folderPath(decode(url.pathname)) };
    case 's3:':
      return parseS3(url, options);
    case 'sftp:':
      return parseSftp(url, options);
    case 'http:':
    case 'https:':
      return parseHttps(url);
    case 'postgres:':
    case 'postgresql:':
      return parsePostgres(url);
    default:
      throw wrong(`${url.protocol}// is not supported`);
  }
}

/** Formats a location as the URL that `parseLocation` parses, but for the query of a web address, which is left out. */
export function formatLocation(location: Location): string {
  switch (location.kind) {
    case 'folder':
      return location.path;
    case 's3':
      return `s3://${location.bucket}/${escapePath(location.prefix)}`;
    case 'sftp': {
      const port = location.port === 22 ? '' : `:${location.port}`;
      const path = location.path.startsWith('/') ? location.path : `/~/${location.path}`;
      return `sftp://${authority(location)}${port}${escapePath(path)}`;
    }
    case 'https': {
      // A query can contain a key.
      const { origin, pathname, search, hash } = new URL(location.url);
      return `${origin}${pathname}${search === '' ? '' : '?…'}${hash}`;
    }
    case 'postgres': {
      const port = location.port === 5432 ? '' : `:${location.port}`;
      return `postgres://${authority(location)}${port}/${escapePath(location.database)}`;
    }
  }
}

function authority({ user, host }: { readonly user: string; readonly host: string }): string {
  return `${encodeURIComponent(user)}@${host.includes(':') ? `[${host}]` : host}`;
}

/** Escapes the characters that end a path. The others stay readable. */
function escapePath(path: string): string {
  return path.replace(/[%?#]/g, encodeURIComponent);
}

/** Without this, the end of a name would be lost silently. */
function assertOnlyPath({ search, hash }: URL): void {
  if (search + hash !== '') throw wrong('it contains "?" or "#". Write them as %3F and %23');
}

function folderPath(path: string): string {
  if (path.includes('\0') || path.split('/').includes('..')) throw wrong('a folder must not contain ".."');
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed;
}

function parseS3(url: URL, { endpoint, region = standardRegion }: LocationOptions): S3Location {
  if (url.username !== '') throw wrong('an S3 address has no user name. Give the access key separately');
  assertOnlyPath(url);
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw wrong('it names no bucket: s3://bucket/prefix');
  if (!/^[a-z0-9-]{1,40}$/.test(region)) throw wrong('the region is not a name such as eu-central-1');
  const key = decode(url.pathname).replace(/^\/+|\/+$/g, '');
  if (key.split('/').some((part) => part === '..' || part === '.')) throw wrong('its prefix contains ".."');
  const prefix = key === '' ? '' : `${key}/`;
  return { kind: 's3', bucket, prefix, endpoint: parseEndpoint(endpoint, region), region };
}

function parseEndpoint(endpoint: string | undefined, region: string): string {
  if (endpoint === undefined) return `https://s3.${region}.amazonaws.com`;
  if (!URL.canParse(endpoint)) throw wrong('its endpoint is not a URL such as https://s3.example.com');
  const url = new URL(endpoint);
  const isPlain = url.username + url.password + url.search + url.hash === '' && url.pathname === '/';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw wrong('its endpoint must be https:// with a host, and nothing after it');
  }
  return url.origin;
}

function parseSftp(url: URL, { hostKey }: LocationOptions): SftpLocation {
  const { hostname: host, port } = url;
  if (host === '' || url.username === '') throw wrong('it must name user and host: sftp://user@host/folder');
  assertOnlyPath(url);
  if (hostKey !== undefined && !/^SHA256:[A-Za-z0-9+/]{43}$/.test(hostKey)) {
    throw wrong('the host key must be written as ssh-keygen -l shows it: SHA256:…');
  }
  const path = decode(url.pathname);
  if (path.split('/').includes('..')) throw wrong('a folder must not contain ".."');
  return {
    kind: 'sftp',
    host: host.replace(/^\[|\]$/g, ''),
    port: port === '' ? 22 : Number(port),
    user: decode(url.username),
    path: pathOnServer(path),
    hostKey: hostKey ?? null,
  };
}

/** A path below `/~/` is relative to the folder that the server opens. */
function pathOnServer(path: string): string {
  if (path.startsWith('/~/')) return path.slice(3);
  return path === '' ? '.' : path;
}

function parseHttps(url: URL): HttpsLocation {
  if (url.username !== '') throw wrong('it contains a user name. Give the credentials separately');
  // Google Sheets names the sheet there.
  if (url.hostname !== 'docs.google.com') url.hash = '';
  return { kind: 'https', url: url.href };
}

const sslModes = ['require', 'verify-full', 'disable'] as const;

function parsePostgres(url: URL): PostgresLocation {
  const { hostname: host, port } = url;
  const database = decode(url.pathname).slice(1);
  if (host === '' || url.username === '' || database === '') {
    throw wrong('it must name user, host and database: postgres://user@host/database');
  }
  if (url.hash !== '') throw wrong('it contains "#". Write it as %23');
  const mode = url.searchParams.get('sslmode') ?? 'verify-full';
  const sslMode = sslModes.find((known) => known === mode);
  if (sslMode === undefined) throw wrong(`sslmode is one of ${sslModes.join(', ')}`);
  const others = [...url.searchParams.keys()].filter((name) => name !== 'sslmode');
  if (others.length > 0) throw wrong(`it has an option that is not supported: ${others[0] ?? ''}`);
  return {
    kind: 'postgres',
    host: host.replace(/^\[|\]$/g, ''),
    port: port === '' ? 5432 : Number(port),
    user: decode(url.username),
    database,
    sslMode,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw wrong('it contains a % that is not part of an escape', cause);
  }
}

/** States the problem without the address, which may contain a secret. */
function wrong(problem: string, cause?: unknown): ValidationError {
  const remedy =
    'A location is a folder (/data/lists), s3://bucket/prefix, sftp://user@host/folder, https://… or postgres://user@host/database.';
  return new ValidationError(
    `The location is not valid: ${problem}. ${remedy}`,
    cause === undefined ? {} : { cause },
  );
}
