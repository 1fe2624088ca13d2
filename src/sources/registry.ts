import { nearestName } from '../core/nearest-name.ts';
import { adyntel } from './adyntel/definition.ts';
import { bigquery } from './bigquery/definition.ts';
import { dataforseo } from './dataforseo/definition.ts';
import type { NamedMap } from './definition/named-map.ts';
import type {
  LiveSourceDefinition,
  LocalSourceDefinition,
  SourceDefinition,
} from './definition/source-definition.ts';
import { mapped } from './mapped/definition.ts';
import { defineMapSource } from './mapped/named-maps.ts';
import { serpapi } from './serpapi/definition.ts';
import { sample, snapshot } from './snapshot/definition.ts';
import { transparency } from './transparency/definition.ts';
import { upstream } from './upstream/definition.ts';

/** The ad sources, in the order in which they are listed. */
export const sources: readonly SourceDefinition[] = [
  snapshot,
  upstream,
  serpapi,
  dataforseo,
  adyntel,
  transparency,
  bigquery,
  mapped,
  sample,
];

/** Sources that are called over the network. */
export const liveSources: readonly LiveSourceDefinition[] = sources.filter(
  (source) => source.kind === 'live',
);

/** Sources that answer from Nightshift's own database. */
export const localSources: readonly LocalSourceDefinition[] = sources.filter(
  (source) => source.kind === 'local',
);

/** Ids of all sources. */
export const sourceIds: readonly string[] = sources.map(({ id }) => id);

/** The sources of one configuration: the built-in ones, and those of the operator's maps. */
export interface SourceCatalog {
  /** In the order in which they are listed. */
  readonly sources: readonly SourceDefinition[];
  readonly liveSources: readonly LiveSourceDefinition[];
  /** Finds a source by its id. */
  find(id: string): SourceDefinition | undefined;
  /** Finds a source that is called over the network by its id. */
  findLive(id: string): LiveSourceDefinition | undefined;
  /** True when a source answers from Nightshift's own database, without a call. */
  isLocal(id: string): boolean;
  /** Suggests the source that a misspelt name means, and lists all. */
  suggestion(unknown: string): string;
}

/** The built-in sources. */
export const builtInSources: SourceCatalog = toCatalog(sources);

/** Creates the catalog of a configuration with these maps. */
export function createSourceCatalog(maps: readonly NamedMap[]): SourceCatalog {
  return maps.length === 0 ? builtInSources : toCatalog([...sources, ...maps.map(defineMapSource)]);
}

function toCatalog(all: readonly SourceDefinition[]): SourceCatalog {
  const live = all.filter((source) => source.kind === 'live');
  const find = (id: string) => all.find((source) => source.id === id);
  return {
    sources: all,
    liveSources: live,
    find,
    findLive: (id) => live.find((source) => source.id === id),
    isLocal: (id) => find(id)?.kind === 'local',
    suggestion: (unknown) => {
      const ids = all.map(({ id }) => id);
      const meant = nearestName(unknown, ids);
      return `${meant === null ? '' : `Did you mean ${meant}? `}Known sources: ${ids.join(', ')}.`;
    },
  };
}
