import type { Database } from '../../../db/connection/client.ts';
import { readNewestDay } from '../../../db/info/snapshot-info.ts';
import { readPricedSources, readSourceWaits } from '../../../db/info/source-info.ts';
import { createSnapshotStore } from '../../../db/stores/ads/snapshots.ts';
import type { Config } from '../../config/config.ts';
import { Misconfigured } from '../../core/errors.ts';
import { reachHost } from './reach-host.ts';
import { isSourceError } from '../../core/sources/source-errors.ts';
import {
  configuredSources,
  readAccount,
  readBaseUrl,
  type AccessById,
} from '../../app/sources/live-sources.ts';
import type { LiveSourceDefinition } from '../../sources/definition/source-definition.ts';
import { createSourceRegistry, type SourceRegistry } from '../../app/sources/source-registry.ts';
import type { PostgresExamination } from './collect-postgres.ts';
import { examine, errorMessage, type Finding } from './check-result.ts';
import { evaluateWait } from './evaluate-wait.ts';
import { beforeMigrations } from './evaluate-migrations.ts';
import {
  evaluateAccount,
  evaluateDefaultSources,
  evaluatePrices,
  evaluateReach,
  evaluateSnapshotAge,
  evaluateSource,
  evaluateTerms,
} from './evaluate-sources.ts';

const reachMsMax = 5000;
const accountMsMax = 10_000;

/** Checks the sources. Without an up-to-date database, only network sources can be checked. */
export async function examineSources(
  config: Config,
  { database, isMigrated }: Pick<PostgresExamination, 'database' | 'isMigrated'>,
): Promise<readonly Finding[]> {
  const { access } = config;
  const live = configuredSources(access);
  const reached = await Promise.all(live.map((source) => examineService(source, config)));
  return [
    ...(database === null
      ? []
      : await examine('sources', () =>
          isMigrated ? checkSources(config, database, live) : [beforeMigrations('sources')],
        )),
    ...reached.flat(),
    ...live.flatMap((source) => evaluateTerms(source) ?? []),
  ];
}

async function checkSources(
  config: Config,
  database: Database,
  live: readonly LiveSourceDefinition[],
): Promise<readonly Finding[]> {
  const { sources: configured, access, catalog } = config;
  const snapshots = createSnapshotStore(database);
  const service = createSourceRegistry({
    snapshots,
    catalog,
    configured,
    access,
    http: neverCalled,
    installation: '',
  });
  const names = (await orError(() => service.defaultNames())).answer ?? [];
  const inUse = [...new Set([...names, ...live.map(({ id }) => id)])];
  return [
    evaluateDefaultSources(names, live),
    ...(await Promise.all(inUse.map(async (name) => evaluateSource(name, await errorOf(service, name))))),
    ...(await examinePrices(database, live, service)),
    ...(await readSourceWaits(database.pool)).map((each) => evaluateWait(each, new Date())),
    ...((await snapshots.find('snapshot')) === null ? [] : await examineAge(database)),
  ];
}

async function examinePrices(
  { pool }: Database,
  live: readonly LiveSourceDefinition[],
  service: Pick<SourceRegistry, 'unitOf'>,
): Promise<readonly Finding[]> {
  const charging = await Promise.all(
    live
      .filter(({ price }) => price !== null)
      .map(async (source) => ({
        name: source.id,
        // A configuration that cannot be read is a separate finding.
        unit: (await orError(() => service.unitOf(source))).answer ?? 'call',
      })),
  );
  // Every start of the app adds the list prices that are missing.
  const listed = live.flatMap(({ id, price }) => (price?.kind === 'list' ? [id] : []));
  const finding = evaluatePrices(charging, [...listed, ...(await readPricedSources(pool))]);
  return finding === null ? [] : [finding];
}

/** HTTP client that makes no call: the configuration shows whether a source is usable, and a call can cost money. */
const neverCalled = { send: () => Promise.reject(new Error('doctor must not call a source')) };

/** Returns the error of a source's configuration; null: usable. The sample ships with Nightshift and is loaded on first use. */
async function errorOf(service: SourceRegistry, name: string): Promise<string | null> {
  if (name === 'sample') return null;
  return (await orError(() => service.named([name]))).failure;
}

/** Returns the result, or the message of a configuration error. Rethrows any other error. */
async function orError<T>(
  work: () => Promise<T>,
): Promise<{ readonly answer: T | null; readonly failure: string | null }> {
  try {
    return { answer: await work(), failure: null };
  } catch (error) {
    if (error instanceof Misconfigured) return { answer: null, failure: error.message };
    throw error;
  }
}

function examineAge({ pool }: Database): Promise<readonly Finding[]> {
  return examine('age of the snapshot', async () => [
    evaluateSnapshotAge(await readNewestDay(pool, 'snapshot'), new Date()),
  ]);
}

/** Connects to the host of a source, and tests its credentials if it answers and that is free. */
async function examineService(source: LiveSourceDefinition, config: Config): Promise<readonly Finding[]> {
  const reached = await examineReach(source, config.access);
  const answers = reached.every(({ status }) => status === 'ok');
  return [...reached, ...(answers ? await examineAccount(source, config) : [])];
}

function examineAccount(
  source: LiveSourceDefinition,
  { access, allowedHosts }: Config,
): Promise<readonly Finding[]> {
  return examine(`account at ${source.id}`, async () => {
    try {
      const state = await readAccount(source, access, { allowedHosts, deadlineMs: accountMsMax });
      return state === null ? [] : [evaluateAccount(source, { state, error: null })];
    } catch (error) {
      if (!isSourceError(error)) throw error;
      return [evaluateAccount(source, { state: null, error })];
    }
  });
}

/** Connects to the host of a source. An address in a file that cannot be read is reported by `evaluateSource` as well. */
function examineReach(source: LiveSourceDefinition, access: AccessById): Promise<readonly Finding[]> {
  return examine(`reaching ${source.id}`, async () => {
    const url = await readBaseUrl(source, access);
    return url === null ? [] : [evaluateReach(source, url, await errorReaching(url))];
  });
}

async function errorReaching(url: string): Promise<string | null> {
  try {
    await reachHost(url, reachMsMax);
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}
