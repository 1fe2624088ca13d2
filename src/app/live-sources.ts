import { readFile } from 'node:fs/promises';
import { transparencyLimits, transparencyTerms } from '../sources/transparency/terms.ts';
import { vendorUrls } from '../sources/vendor-urls.ts';
import type { HttpClient } from '../adapters/http/http.ts';
import { configuredHosts, type LiveSourceName, type SourceAccess } from '../config/source-access.ts';
import type { BatchedAdSource, LiveAdSource } from '../core/sources/ad-source.ts';
import type { SourcePace } from '../core/sources/source-call.ts';
import { Misconfigured } from '../core/errors.ts';
import { packageVersion } from '../package-root.ts';

type LiveSource = LiveAdSource | BatchedAdSource;

/** Sources that are called over the network. */
export interface LiveSources {
  /** True when the source is configured. */
  has(name: LiveSourceName): boolean;
  /** Returns the adapter of a source. @throws Misconfigured with the missing or invalid setting. */
  get(name: LiveSourceName): Promise<LiveSource>;
}

/** Options of the network sources. */
export interface LiveSourcesOptions {
  readonly access: SourceAccess;
  readonly http: Pick<HttpClient, 'send'>;
  /** Id of this installation, for other servers. */
  readonly installation: string;
}

/** Creates each adapter on first use, so that an invalid setting of one source does not affect the others. */
export function createLiveSources(options: LiveSourcesOptions): LiveSources {
  const made = new Map<LiveSourceName, Promise<LiveSource>>();
  return {
    has: (name) => options.access[name] !== null,
    get: (name) => {
      const source = made.get(name) ?? make(name, options);
      made.set(name, source);
      // The error, such as an unreadable file, may be fixed the next time.
      source.catch(() => made.delete(name));
      return source;
    },
  };
}

async function make(name: LiveSourceName, options: LiveSourcesOptions): Promise<LiveSource> {
  const source = await makers[name](options);
  if (source !== null) return source;
  throw new Misconfigured(`The source ${name} is not configured: set ${whatToSet[name]}`);
}

/** Creates the adapter of a source; null if it is not configured. Loads its code on demand, because most commands need none. */
type Maker = (options: LiveSourcesOptions) => Promise<LiveSource | null>;

const makers: Readonly<Record<LiveSourceName, Maker>> = {
  upstream: makeUpstream,
  serpapi: makeSerpapi,
  dataforseo: makeDataForSeo,
  adyntel: makeAdyntel,
  transparency: makeTransparency,
  bigquery: makeBigQuery,
  mapped: makeMapped,
};

async function makeUpstream(options: LiveSourcesOptions): Promise<LiveSource | null> {
  const { access, http, installation } = options;
  if (access.upstream === null) return null;
  const { createUpstreamSource } = await import('../sources/upstream/source.ts');
  return createUpstreamSource({ http, installation, ...access.upstream });
}

async function makeSerpapi({ access: { serpapi }, http }: LiveSourcesOptions): Promise<LiveSource | null> {
  if (serpapi === null) return null;
  const { createSerpapiSource } = await import('../sources/serpapi/source.ts');
  return createSerpapiSource({ http, ...withVendorUrl(serpapi) });
}

async function makeDataForSeo(options: LiveSourcesOptions): Promise<LiveSource | null> {
  const { access, http } = options;
  if (access.dataforseo === null) return null;
  const { login, password, ...rest } = withVendorUrl(access.dataforseo);
  const { createDataForSeoSource } = await import('../sources/dataforseo/source.ts');
  return createDataForSeoSource({ http, credentials: { login, password }, ...rest });
}

async function makeAdyntel({ access: { adyntel }, http }: LiveSourcesOptions): Promise<LiveSource | null> {
  if (adyntel === null) return null;
  const { createAdyntelSource } = await import('../sources/adyntel/source.ts');
  return createAdyntelSource({ http, ...withVendorUrl(adyntel) });
}

/** Leaves out a missing URL: the adapter then uses that of the vendor. */
function withVendorUrl<T extends { readonly url: string | null }>({ url, ...rest }: T) {
  return url === null ? rest : { ...rest, url };
}

/** Milliseconds for one call to the public site. Our choice: a page takes a second or two. */
const transparencyDeadlineMs = 30_000;

async function makeTransparency(options: LiveSourcesOptions): Promise<LiveSource | null> {
  const {
    access: { transparency },
    http,
  } = options;
  if (transparency === null) return null;
  const { createTransparencySource } = await import('../sources/transparency/source.ts');
  const { contact, ...rest } = withVendorUrl(transparency);
  return createTransparencySource({
    http,
    ...rest,
    asker: { version: packageVersion, contact },
    limits: { ...transparencyLimits, deadlineMs: transparencyDeadlineMs },
  });
}

async function makeBigQuery({ access: { bigquery }, http }: LiveSourcesOptions): Promise<LiveSource | null> {
  if (bigquery === null) return null;
  const { keyFile, ...rest } = withVendorUrl(bigquery);
  const { parseServiceAccount } = await import('../sources/bigquery/credentials.ts');
  const { createBigQuerySource } = await import('../sources/bigquery/source.ts');
  const credentials =
    keyFile === null ? null : parseServiceAccount(await readText(keyFile, 'NIGHTSHIFT_BIGQUERY_KEY_FILE'));
  return createBigQuerySource({ send: http.send, credentials, ...rest });
}

async function makeMapped({ access: { mapped }, http }: LiveSourcesOptions): Promise<LiveSource | null> {
  if (mapped === null) return null;
  const { file, ...rest } = mapped;
  const { readSourceMap } = await import('../sources/mapped/read-map.ts');
  const { createMappedSource } = await import('../sources/mapped/source.ts');
  return createMappedSource({ http, map: await readSourceMap(file), ...rest });
}

/**
 * Returns the base URL of a source; null if it is not configured.
 *
 * @throws Misconfigured when it is in a map that cannot be read.
 */
export async function addressOf(name: LiveSourceName, access: SourceAccess): Promise<string | null> {
  if (name === 'mapped') return access.mapped === null ? null : addressOfMap(access.mapped.file);
  if (name === 'upstream') return access.upstream?.url ?? null;
  const reached = access[name];
  return reached === null ? null : (reached.url ?? vendorUrls[name]);
}

async function addressOfMap(file: string): Promise<string> {
  const { readMapAddress } = await import('../sources/mapped/read-map.ts');
  return readMapAddress(file);
}

/**
 * Returns the hosts of base URLs that the operator configured, including that of the source map. They are allowed even with private
 * addresses. A map that cannot be read has none; the use of its source reports the error.
 */
export async function namedHosts(access: SourceAccess): Promise<readonly string[]> {
  const address = await addressOf('mapped', access).catch((error: unknown) => {
    if (error instanceof Misconfigured) return null;
    throw error;
  });
  return [...configuredHosts(access), ...(address === null ? [] : [new URL(address).host])];
}

/** Returns the rate limits by source: those of the operator, and the fixed one of `transparency`. */
export function pacesOf(access: SourceAccess): ReadonlyMap<string, SourcePace> {
  const { transparency, ...reachable } = access;
  const { pace } = transparencyLimits;
  return new Map([
    ...(transparency === null || pace === null ? [] : [['transparency', pace] as const]),
    ...Object.entries(reachable).flatMap(([name, reached]) =>
      reached?.limits.pace ? [[name, reached.limits.pace] as const] : [],
    ),
  ]);
}

/**
 * Reads the unit of a source's price; null if it is in the price book.
 *
 * @throws Misconfigured when it is in a map that cannot be parsed.
 */
export async function unitOf(name: LiveSourceName, access: SourceAccess): Promise<string | null> {
  if (name !== 'mapped' || access.mapped === null) return null;
  const { readSourceMap } = await import('../sources/mapped/read-map.ts');
  return (await readSourceMap(access.mapped.file)).price.unit;
}

async function readText(file: string, setting: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Misconfigured(`${setting}: ${file} cannot be read. Check the path and its permissions.`, {
      cause,
    });
  }
}

/** Settings of each source, as the end of a sentence. */
const whatToSet: Readonly<Record<LiveSourceName, string>> = {
  upstream: 'NIGHTSHIFT_UPSTREAM_URL and NIGHTSHIFT_UPSTREAM_KEY.',
  serpapi: 'NIGHTSHIFT_SERPAPI_KEY.',
  dataforseo: 'NIGHTSHIFT_DATAFORSEO_LOGIN and NIGHTSHIFT_DATAFORSEO_PASSWORD.',
  adyntel: 'NIGHTSHIFT_ADYNTEL_KEY and NIGHTSHIFT_ADYNTEL_EMAIL.',
  transparency:
    'NIGHTSHIFT_TRANSPARENCY_CONTACT, and NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS=true if you accept its terms. ' +
    transparencyTerms,
  bigquery: 'NIGHTSHIFT_BIGQUERY_PROJECT and NIGHTSHIFT_BIGQUERY_KEY_FILE.',
  mapped: 'NIGHTSHIFT_MAPPED_FILE, and NIGHTSHIFT_MAPPED_KEY if the file requires a key.',
};
