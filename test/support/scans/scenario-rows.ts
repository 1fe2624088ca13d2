import { createHash } from 'node:crypto';
import type { Observation, SeenAd } from './history.ts';
import type { ScenarioObservation, Scenario } from './scenario.ts';

/** Schedules with the same remainder share their ads. */
const fixtures = 10;

/** A version of an ad, found by its hash. */
export interface VersionRow {
  readonly hash: string;
  readonly fixture: number;
  readonly ad: number;
  readonly has_ids: boolean;
  readonly version: number;
  readonly observation: string;
}

/** A scan with its batch, both found by the key. */
export interface ScanRow {
  readonly key: string;
  readonly schedule: number;
  readonly scan: number;
}

export interface LookupRow {
  readonly id: number;
  /** Key of its scan. */
  readonly key: string;
  readonly company: string;
  readonly generation: number;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly source: string | null;
  readonly asked: readonly { readonly source: string; readonly reported: string }[] | null;
  readonly partial: boolean;
  readonly truncated: boolean;
  readonly ended_at: string | null;
  readonly observed_at: string | null;
  readonly repeats: number | null;
  readonly ads: readonly {
    readonly start: string | null;
    readonly last_seen: string | null;
    readonly hash: string;
  }[];
}

/** Rows of a round of all scenarios. */
export interface RoundRows {
  readonly scans: readonly ScanRow[];
  readonly lookups: readonly LookupRow[];
  /** Keys of scans with a retry. */
  readonly retried: readonly string[];
}

/** Shape A: it has a time, but cannot be tracked. */
const nameless = { ad: 0, hasIds: false, version: 0, observation: '' };

/** All versions that occur in the scenarios. */
export function versionRows(stories: readonly Scenario[]): readonly VersionRow[] {
  const seen = stories.flatMap(({ rounds }, schedule) =>
    rounds
      .flat()
      .flatMap(({ observation }) =>
        [...observation.ads, nameless].map((ad) => ({ fixture: schedule % fixtures, ...ad })),
      ),
  );
  const rows = seen.map(({ fixture, ad, hasIds, version, observation }) => {
    const hash = hashOf(fixture, { ad, hasIds, version, observation });
    return { hash, fixture, ad, has_ids: hasIds, version, observation };
  });
  return [...new Map(rows.map((row) => [row.hash, row])).values()];
}

/** Rounds of the scenarios as rows, in the order of storing. */
export function roundRows(stories: readonly Scenario[]): readonly RoundRows[] {
  let id = 1_000_000_000;
  const nextId = () => (id += 1);
  /** Earlier answers, by schedule and company. */
  const answers = new Map<string, { readonly answer: string; readonly id: number }[]>();

  function lookupRow(schedule: number, { company, observation, isRetry }: ScenarioObservation): LookupRow {
    const name = `d:c${company}.example`;
    const reported = answers.get(`${schedule}/${name}`) ?? [];
    answers.set(`${schedule}/${name}`, reported);
    const repeats = observation.partial
      ? undefined
      : reported.find(({ answer }) => answer === answerOf(observation))?.id;
    const row = {
      id: nextId(),
      key: keyOf(schedule, observation),
      company: name,
      generation: isRetry ? 2 : 1,
    };
    if (isConclusive(observation)) reported.push({ answer: answerOf(observation), id: row.id });
    const stored = { ...row, ...answerRow(schedule, observation) };
    // A repeated answer without a new call: answer and time are those of the earlier lookup.
    if (repeats === undefined || !isConclusive(observation)) return stored;
    return {
      ...stored,
      repeats,
      asked: null,
      observed_at: observation.observedAt,
      ended_at: '2029-01-01T00:00:00Z',
    };
  }

  /** Companies without tracking, for each source of the scan. */
  function othersRows(schedule: number, { observation }: ScenarioObservation): readonly LookupRow[] {
    return Object.entries(observation.othersLastSeen).map(([source, day]) => ({
      ...{
        id: nextId(),
        key: keyOf(schedule, observation),
        company: `d:others-${source}.example`,
        generation: 1,
      },
      ...answerRow(schedule, {
        ...observation,
        outcome: 'found',
        sources: [source],
        ads: [{ ...nameless, start: null, lastSeen: day }],
      }),
      asked: null,
    }));
  }

  const count = Math.max(...stories.map(({ rounds }) => rounds.length));
  return Array.from({ length: count }, (_, number) => {
    const heard = stories.flatMap(({ rounds }, schedule) =>
      (rounds[number] ?? []).map((one) => ({ schedule, one, key: keyOf(schedule, one.observation) })),
    );
    const begun = new Map(heard.filter(({ one }) => !one.isRetry).map((each) => [each.key, each]));
    return {
      scans: [...begun].map(([key, { schedule, one }]) => ({ key, schedule, scan: one.observation.scan })),
      lookups: [
        ...heard.map(({ schedule, one }) => lookupRow(schedule, one)),
        ...[...begun.values()].flatMap(({ schedule, one }) => othersRows(schedule, one)),
      ],
      retried: heard.filter(({ one }) => one.isRetry).map(({ key }) => key),
    };
  });
}

function keyOf(schedule: number, { scan }: Observation): string {
  return `${schedule}_${scan}`;
}

function answerRow(schedule: number, observation: Observation) {
  const { outcome, sources, partial, truncated, observedAt, ads } = observation;
  return {
    outcome: outcome === 'open' ? null : outcome,
    reason: outcome === 'failed' ? 'source_unavailable' : null,
    source: sources[0] ?? null,
    asked: askedRows(observation),
    partial,
    truncated,
    ended_at: outcome === 'open' ? null : observedAt,
    observed_at: null,
    repeats: null,
    ads: ads.map(({ start, lastSeen, ...ad }) => ({
      start,
      last_seen: lastSeen,
      hash: hashOf(schedule % fixtures, ad),
    })),
  };
}

/** Stored form of the chain: the sources with another answer; empty if only one was called. */
function askedRows(observation: Observation): LookupRow['asked'] {
  const reported = observation.sources.map((source) => ({ source, reported: observation.outcome }));
  if (!isConclusive(observation) || (reported.length === 1 && observation.scan % 2 === 0)) return null;
  return [{ source: 'third', reported: observation.outcome === 'none' ? 'no_match' : 'none' }, ...reported];
}

function isConclusive({ outcome }: Observation): boolean {
  return outcome === 'found' || outcome === 'none' || outcome === 'no_match';
}

function answerOf({ outcome, sources, observedAt, truncated, partial, ads }: Observation): string {
  return JSON.stringify([outcome, sources, observedAt, truncated, partial, ads]);
}

function hashOf(
  fixture: number,
  { ad, hasIds, version, observation }: Omit<SeenAd, 'start' | 'lastSeen'>,
): string {
  return createHash('sha256').update([fixture, ad, hasIds, version, observation].join('/')).digest('hex');
}
