import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, History, Observation } from '../../../support/scans/history.ts';
import { randomHistories } from '../../../support/scans/random-histories.ts';
import { evaluateHistory } from '../../../support/scans/reference-model.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

const histories = 1_000;

test('random histories cover every kind of observation and change, retries in time and too late, and repeated answers', () => {
  const sample = fc.sample(randomHistories({ retries: true }), {
    seed: takeSeedNumber(),
    numRuns: histories,
  });
  const met = sample.map(eventsOf);
  const timesMet = (event: string) => met.filter((events) => events.has(event)).length;
  const rare = everyEvent.filter((event) => timesMet(event) < histories / 250);
  expect(rare).toEqual([]);
});

const everyEvent = [
  ...['complete found', 'truncated found', 'partial found', 'complete none', 'unconfirmed_empty none'],
  ...[
    'unconfirmed_empty no_match',
    'no_match before the baseline',
    'null failed',
    'null cancelled',
    'null open',
  ],
  ...['baseline first_scan', 'baseline missed_earlier', 'baseline long_ago', 'new', 'reactivated', 'changed'],
  ...['ended not_seen', 'ended not_seen by many', 'ended last_seen_long_ago'],
  ...['retried in time', 'retried too late', 'an ad with four changes', 'edited'],
  ...['repeated complete', 'repeated truncated', 'repeated unconfirmed_empty'],
  ...['complete none of several sources', 'complete found of a data set', 'complete found otherwise limited'],
  ...['an ad ended unseen by last_seen_long_ago', 'an ad missed by two sources', 'ended on more than enough'],
];

function eventsOf({ observations, settings }: History): ReadonlySet<string> {
  const { changes, observations: evaluated } = evaluateHistory(observations, settings);
  const isRetry = observations.map(
    ({ scan }, i) => observations.findIndex((observation) => observation.scan === scan) < i,
  );
  const timesChanged = (ad: number) => changes.filter((change) => change.ad === ad).length;
  return new Set([
    ...evaluated.map(({ completeness }, i) => `${completeness} ${observations[i]?.outcome}`),
    ...evaluated.map(({ completeness }, i) => `${completeness} ${describeSources(observations[i])}`),
    ...evaluated
      .filter((_, i) => isShownAgain(observations, i))
      .map(({ completeness }) => `repeated ${completeness}`),
    ...(observations.some(({ edited }) => edited !== null) ? ['edited'] : []),
    ...evaluated
      .slice(
        0,
        Math.max(
          evaluated.findIndex(({ isBaseline }) => isBaseline),
          0,
        ),
      )
      .flatMap((_, i) => (observations[i]?.outcome === 'no_match' ? ['no_match before the baseline'] : [])),
    ...changes.map(describeKind),
    ...changes.map((change) => describeEnd(change, observations)),
    ...changes
      .filter(({ restsOn }) => restsOn.length > settings.missesToEnd)
      .map(() => 'ended on more than enough'),
    ...evaluated
      .filter((_, i) => isRetry[i])
      .map((observation) => `retried ${observation.completeness === null ? 'too late' : 'in time'}`),
    ...changes.filter(({ ad }) => timesChanged(ad) > 3).map(() => 'an ad with four changes'),
  ]);
}

function describeKind({ kind, reason, restsOn }: Change): string {
  return `${kind}${reason === null ? '' : ` ${reason}`}${restsOn.length > 1 ? ' by many' : ''}`;
}

function describeSources(observation: Observation | undefined): string {
  const [source = 'no source', ...others] = observation?.sources ?? [];
  if (others.length > 0) return `${observation?.outcome} of several sources`;
  if (source.startsWith('s')) return `${observation?.outcome} of a data set`;
  return `${observation?.outcome}${source.includes('?') ? ' otherwise limited' : ''}`;
}

function isShownAgain(observations: readonly Observation[], i: number): boolean {
  const [observation] = observations.slice(i);
  return observations
    .slice(0, i)
    .some((one) => one.outcome === 'found' && one.observedAt === observation?.observedAt);
}

function describeEnd({ ad, reason, scan, restsOn }: Change, observations: readonly Observation[]): string {
  const restingOn = observations.filter((observation) => restsOn.includes(observation.scan));
  const isShown = restingOn.some(
    (observation) => observation.scan === scan && observation.ads.some((seen) => seen.ad === ad),
  );
  if (reason === 'last_seen_long_ago' && !isShown) return 'an ad ended unseen by last_seen_long_ago';
  const sources = new Set(
    restingOn.filter(({ sources: all }) => all.length === 1).flatMap((observation) => observation.sources),
  );
  return reason === 'not_seen' && sources.size > 1 ? 'an ad missed by two sources' : '';
}
