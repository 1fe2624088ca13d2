import type { HttpClient } from '../../adapters/http/http.ts';
import { Misconfigured } from '../../core/errors.ts';
import type { BatchedAdSource, LiveAdSource } from '../../core/sources/ad-source.ts';
import type { SourcePace } from '../../core/sources/source-call.ts';
import { packageVersion } from '../../package-root.ts';
import {
  howToTurnOn,
  type AccountState,
  type LiveSourceDefinition,
  type SourceAccess,
} from '../../sources/definition/source-definition.ts';

type LiveSource = LiveAdSource | BatchedAdSource;

/** Access to the live sources that are turned on, by the id of the source. */
export type AccessById = ReadonlyMap<string, SourceAccess>;

/** Adapters of the live sources. */
export interface LiveSources {
  /** Opens the adapter of a source, once. @throws Misconfigured with the missing or invalid settings. */
  get(source: LiveSourceDefinition): Promise<LiveSource>;
}

/** Options of the network sources. */
export interface LiveSourcesOptions {
  readonly access: AccessById;
  readonly http: Pick<HttpClient, 'send'>;
  /** Id of this installation, for other servers. */
  readonly installation: string;
}

/** Opens each adapter on first use: an error in the settings of one source leaves the others alone. */
export function createLiveSources(options: LiveSourcesOptions): LiveSources {
  const opened = new Map<string, Promise<LiveSource>>();
  return {
    get: (source) => {
      const adapter = opened.get(source.id) ?? open(source, options);
      opened.set(source.id, adapter);
      // The next call tries again: the operator may have repaired a file that could not be read.
      adapter.catch(() => opened.delete(source.id));
      return adapter;
    },
  };
}

async function open(
  source: LiveSourceDefinition,
  { access, http, installation }: LiveSourcesOptions,
): Promise<LiveSource> {
  const configured = access.get(source.id);
  if (configured === undefined)
    throw new Misconfigured(`The source ${source.id} is not configured: set ${howToTurnOn(source)}.`);
  const { settings, limits } = configured;
  return source.open({ settings, limits, http, installation, version: packageVersion });
}

/** Sources that are turned on, named or not. */
export function configuredSources(access: AccessById): readonly LiveSourceDefinition[] {
  return [...access.values()].map(({ source }) => source);
}

/**
 * Reads the base URL at which a source is called; null for one that is not configured.
 *
 * @throws Misconfigured when it is in a file that cannot be read.
 */
export async function readBaseUrl(
  { id, baseUrl }: LiveSourceDefinition,
  access: AccessById,
): Promise<string | null> {
  const configured = access.get(id);
  return configured === undefined ? null : baseUrl.read(configured.settings);
}

/**
 * Reads the hosts that the operator has named in settings and files of sources: they count as allowed, wherever they are. A file
 * that cannot be read names none; opening its source reports the error.
 */
export async function readNamedHosts(access: AccessById): Promise<readonly string[]> {
  const hosts = configuredSources(access).map(async (source) => {
    const isSetting = Object.values(source.settings).some(({ kind }) => kind === 'url');
    return isSetting ? (access.get(source.id)?.namedHosts ?? []) : hostInFile(source, access);
  });
  return (await Promise.all(hosts)).flat();
}

async function hostInFile(source: LiveSourceDefinition, access: AccessById): Promise<readonly string[]> {
  try {
    const url = await readBaseUrl(source, access);
    return url === null ? [] : [new URL(url).host];
  } catch (error) {
    if (error instanceof Misconfigured) return [];
    throw error;
  }
}

/**
 * Reads the state of the account of a source with a free call; null for a source that has none, or is not configured.
 *
 * @throws as `AccountCheck.read` does.
 */
export async function readAccount(
  { id, checkAccount }: LiveSourceDefinition,
  access: AccessById,
  { allowedHosts, deadlineMs }: { readonly allowedHosts: readonly string[]; readonly deadlineMs: number },
): Promise<AccountState | null> {
  const configured = access.get(id);
  if (configured === undefined || checkAccount === undefined) return null;
  const { createHttpClient } = await import('../../adapters/http/http.ts');
  const http = createHttpClient({ allowedHosts: [...allowedHosts, ...configured.namedHosts] });
  try {
    const { settings } = configured;
    return await checkAccount.read({ settings, http, deadlineMs, signal: new AbortController().signal });
  } finally {
    await http.close();
  }
}

/** The rate limits by the id of the source: as the operator set them, or the fixed one of the source. */
export function pacesOf(access: AccessById): ReadonlyMap<string, SourcePace> {
  return new Map(
    [...access].flatMap(([id, { limits }]) => (limits.pace === null ? [] : [[id, limits.pace] as const])),
  );
}

/**
 * Reads the unit of a source's price; null if its price book has it, and for a source that is not configured.
 *
 * @throws Misconfigured when it is in a file that cannot be parsed.
 */
export async function readUnit(
  { id, price }: LiveSourceDefinition,
  access: AccessById,
): Promise<string | null> {
  const configured = access.get(id);
  return price?.kind === 'configured' && configured !== undefined
    ? price.readUnit(configured.settings)
    : null;
}
