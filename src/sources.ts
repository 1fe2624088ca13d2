import { createSnapshotSource } from './adapters/ads/snapshot/source.ts';
import { createUpstreamSource } from './adapters/ads/upstream/source.ts';
import { sourceNames, type UpstreamConfig } from './config.ts';
import type { AdSource } from './core/ads/ad-source.ts';
import type { SnapshotName, SnapshotStore } from './core/ads/snapshot-store.ts';
import { Misconfigured, ValidationError } from './core/errors.ts';

/** The ad sources by name: which there are for a list, and the adapters behind the names. */
export interface SourceDesk {
  /**
   * The names to use when none are given: the configured ones, else the snapshot once one is loaded and the upstream once it is
   * configured. Never `sample`: a real list is never answered from made-up ads.
   *
   * @throws Misconfigured with the ways to get a source when there is none.
   */
  defaultNames(): Promise<readonly string[]>;
  /** @throws ValidationError naming one that there is not. */
  checkNames(names: readonly string[]): void;
  /**
   * The sources as an account sees them: with its own mapping of companies to advertisers.
   *
   * @throws Misconfigured when one of them is not loaded or not configured.
   */
  named(names: readonly string[], accountId: number): Promise<readonly AdSource[]>;
}

export interface SourceDeskOptions {
  readonly snapshots: SnapshotStore;
  readonly configured: readonly string[] | null;
  readonly upstream: UpstreamConfig | null;
}

/** Builds adapters from the configuration. */
export function createSourceDesk({ snapshots, configured, upstream }: SourceDeskOptions): SourceDesk {
  const upstreamSource =
    upstream === null
      ? null
      : createUpstreamSource({
          url: upstream.url,
          key: upstream.key,
          pace: { requestsPerSecond: upstream.requestsPerSecond, burst: upstream.burst },
          idempotent: upstream.idempotent,
          deadlineMs: upstream.deadlineMs,
        });

  // A data set that is loaded keeps its id, whatever is loaded into it later: asked for until it is there, and never again.
  const loadedIds = new Map<SnapshotName, number>();
  async function findLoaded(name: SnapshotName): Promise<number | null> {
    const id = loadedIds.get(name) ?? (await snapshots.find(name))?.id ?? null;
    if (id !== null) loadedIds.set(name, id);
    return id;
  }

  async function defaultNames(): Promise<readonly string[]> {
    if (configured !== null) return configured;
    const names = [
      ...((await findLoaded('snapshot')) === null ? [] : ['snapshot']),
      ...(upstreamSource === null ? [] : ['upstream']),
    ];
    if (names.length === 0) throw new Misconfigured(waysToGetASource);
    return names;
  }

  async function sourceNamed(name: string, accountId: number): Promise<AdSource> {
    if (name === 'snapshot' || name === 'sample') return snapshotSource(name, accountId);
    if (name === 'upstream' && upstreamSource !== null) return upstreamSource;
    throw new Misconfigured(
      'The source upstream is not configured: set NIGHTSHIFT_UPSTREAM_URL and NIGHTSHIFT_UPSTREAM_KEY.',
    );
  }

  async function snapshotSource(name: SnapshotName, accountId: number): Promise<AdSource> {
    const snapshotId = await findLoaded(name);
    if (snapshotId === null) throw new Misconfigured(`The source ${name} has no ads yet: ${howToLoad[name]}`);
    return createSnapshotSource({ store: snapshots, name, snapshotId, accountId });
  }

  return {
    checkNames,
    defaultNames,
    named: (names, accountId) => Promise.all(names.map((name) => sourceNamed(name, accountId))),
  };
}

function checkNames(names: readonly string[]): void {
  const unknown = names.find((name) => !sourceNames.some((known) => known === name));
  if (unknown === undefined && names.length > 0) return;
  throw new ValidationError(`source: "${unknown ?? ''}" is no source. There are: ${sourceNames.join(', ')}.`);
}

/** Whether a source answers from our own database, without a call. */
export function isLocalSource(name: string): boolean {
  return name === 'snapshot' || name === 'sample';
}

const howToLoad: Readonly<Record<SnapshotName, string>> = {
  snapshot: 'load an export of the public dataset with `nightshift snapshot load FILE…`.',
  sample:
    'load the bundled sample with `nightshift snapshot load --sample`; `nightshift demo` does that by itself.',
};

const waysToGetASource = `There is no ad source yet, so nothing can be looked up. Ways to get one:
  - load an export of Google's public dataset:   nightshift snapshot load FILE…
  - use a server that speaks the service contract:
      set NIGHTSHIFT_UPSTREAM_URL and NIGHTSHIFT_UPSTREAM_KEY
  - try it with the bundled, generated sample ads:  add --source sample`;
