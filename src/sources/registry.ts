import { nearestName } from '../core/nearest-name.ts';
import { adyntel } from './adyntel/definition.ts';
import { bigquery } from './bigquery/definition.ts';
import { dataforseo } from './dataforseo/definition.ts';
import type {
  LiveSourceDefinition,
  LocalSourceDefinition,
  SourceDefinition,
} from './definition/source-definition.ts';
import { mapped } from './mapped/definition.ts';
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

/** Finds a source by its id. */
export function findSource(id: string): SourceDefinition | undefined {
  return sources.find((source) => source.id === id);
}

/** Finds a source that is called over the network by its id. */
export function findLiveSource(id: string): LiveSourceDefinition | undefined {
  return liveSources.find((source) => source.id === id);
}

/** True when a source answers from Nightshift's own database, without a call. */
export function isLocalSource(id: string): boolean {
  return findSource(id)?.kind === 'local';
}

/** Suggests the source that a misspelt name means, and lists all. */
export function sourceSuggestion(unknown: string): string {
  const meant = nearestName(unknown, sourceIds);
  return `${meant === null ? '' : `Did you mean ${meant}? `}Known sources: ${sourceIds.join(', ')}.`;
}
