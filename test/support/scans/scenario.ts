import type { History, Observation, ScanSettings } from './history.ts';

/** Answer of a scan for one company, by its number among those of the schedule. */
export interface ScenarioObservation {
  readonly company: number;
  readonly observation: Observation;
  /** True if an earlier lookup of the scan for the company failed. */
  readonly isRetry: boolean;
}

/** Answers of a schedule's scans for several companies, in rounds: a round is evaluated as a whole before the next one. */
export interface Scenario {
  readonly settings: ScanSettings;
  readonly rounds: readonly (readonly ScenarioObservation[])[];
}

/**
 * Combines the histories of several companies into one schedule; its settings are those of the first, without edits. Retries are
 * separate rounds. For a local data set, each scan has the answers for all companies.
 */
export function buildScenario(histories: readonly History[]): Scenario {
  const [first] = histories;
  if (first === undefined) throw new Error('A story is about somebody.');
  const items = histories.flatMap(({ observations }, company) => placed(observations.map(asked), company));
  const rounds: Placed[][] = [];
  for (const item of items.toSorted(byTime)) {
    const round = rounds.at(-1);
    if (round !== undefined && round.every((one) => isOneRound(one, item))) round.push(item);
    else rounds.push([item]);
  }
  return { settings: first.settings, rounds: withDataDays(rounds) };
}

/** Observations of one company, in the order in which they arrive. */
export function observes(company: number, { rounds }: Scenario): readonly Observation[] {
  return rounds.flat().flatMap((heard) => (heard.company === company ? [heard.observation] : []));
}

interface Placed extends ScenarioObservation {
  /** The newest scan at the time of arrival: its own, or for a retry a later one. */
  readonly run: number;
}

function placed(observations: readonly Observation[], company: number): readonly Placed[] {
  return observations.map((observation, i) => ({
    company,
    observation,
    run: Math.max(...observations.slice(0, i + 1).map(({ scan }) => scan)),
    isRetry: observations.slice(0, i).some(({ scan }) => scan === observation.scan),
  }));
}

function byTime(one: Placed, other: Placed): number {
  return (
    one.run - other.run ||
    Number(one.isRetry) - Number(other.isRetry) ||
    one.observation.scan - other.observation.scan ||
    one.company - other.company
  );
}

/** Scans are evaluated in order, however many are waiting; a retry is evaluated only at its own time. */
function isOneRound(one: Placed, other: Placed): boolean {
  if (one.isRetry !== other.isRetry) return false;
  return !one.isRetry || (one.run === other.run && one.observation.scan === other.observation.scan);
}

/** The same lookup in every scan: omits the name of the source with its options. */
function asked(observation: Observation): Observation {
  const plain = (source: string) => source.replace(/\?.*/, '');
  const others = Object.entries(observation.othersLastSeen).map(
    ([source, day]) => [plain(source), day] as const,
  );
  const othersLastSeen = Object.fromEntries(
    others.toSorted(([, one], [, other]) => one.localeCompare(other)),
  );
  return {
    ...observation,
    sources: [...new Set(observation.sources.map(plain))],
    othersLastSeen,
    edited: null,
  };
}

function withDataDays(rounds: readonly (readonly Placed[])[]): readonly (readonly ScenarioObservation[])[] {
  const known = new Map<number, Map<string, string>>();
  return rounds.map((round) => {
    for (const { observation, isRetry } of round) {
      const days = known.get(observation.scan) ?? new Map<string, string>();
      known.set(observation.scan, days);
      for (const [source, day] of daysIn(observation, isRetry))
        if (day > (days.get(source) ?? '')) days.set(source, day);
    }
    return round.map(({ company, observation, isRetry }) => ({
      company,
      isRetry,
      observation: { ...observation, othersLastSeen: Object.fromEntries(known.get(observation.scan) ?? []) },
    }));
  });
}

/** Days of the other observations, which are not retried. */
function daysIn(
  { sources, ads, othersLastSeen }: Observation,
  isRetry: boolean,
): readonly (readonly [string, string])[] {
  const own = ads.flatMap(({ lastSeen }) => sources.map((source) => [source, lastSeen ?? ''] as const));
  return [...(isRetry ? [] : Object.entries(othersLastSeen)), ...own];
}
