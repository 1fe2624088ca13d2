import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, History, Observation } from '../../../support/scans/history.ts';
import { randomHistories } from '../../../support/scans/random-histories.ts';
import { evaluateHistory } from '../../../support/scans/reference-model.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

test('a later observation does not alter the results of earlier ones', () => {
  expectForRandomHistories(({ observations, settings }) => {
    const whole = evaluateHistory(observations, settings);
    for (const [i] of observations.entries()) {
      const part = evaluateHistory(observations.slice(0, i), settings);
      expect(part.observations).toEqual(whole.observations.slice(0, i));
      expect(part.changes).toEqual(whole.changes.slice(0, part.changes.length));
    }
  });
});

test('a failed, cancelled or open scan has no effect', () => {
  expectForRandomHistories((history) => {
    const { settings } = history;
    const observations = settled(history);
    const answered = observations.filter(({ outcome }) => ['found', 'none', 'no_match'].includes(outcome));
    expect(evaluateHistory(answered, settings).changes).toEqual(
      evaluateHistory(observations, settings).changes,
    );
  });
});

test('a repeated answer has no effect', () => {
  expectForRandomHistories((history) => {
    const observations = timelyObservations(history);
    const evaluated = evaluateHistory(observations, history.settings);
    const [first = [], again = []] = [false, true].map((is) =>
      observations.filter((observation) => isRepeat(observation, observations) === is),
    );
    expect(
      evaluated.changes.filter(({ scan }) => again.some((observation) => observation.scan === scan)),
    ).toEqual([]);
    const due = evaluateHistory(first, history.settings);
    expect(evaluated.changes).toEqual(due.changes);
    expect(
      evaluated.observations.filter(({ scan }) => first.some((observation) => observation.scan === scan)),
    ).toEqual(due.observations);
  });
});

test('an ad starts once, ends only while it is active and is reactivated only while it is not', () => {
  expectForRandomHistories(({ observations, settings }) => {
    const { changes } = evaluateHistory(observations, settings);
    for (const ad of new Set(changes.map((change) => change.ad)))
      expectValidSequence(changes.filter((change) => change.ad === ad));
  });
});

test('an ad that was not seen ends after enough complete observations by sources that had it, without a sighting in between', () => {
  expectForRandomHistories((history) => {
    const observed = timelyObservations(history);
    const { changes, observations } = evaluateHistory(observed, history.settings);
    for (const { ad, scan, restsOn } of changes.filter(({ reason }) => reason === 'not_seen')) {
      const counted = observed.filter(
        (observation) => observation.scan <= scan && !isRepeat(observation, observed),
      );
      const sightings = counted.filter(({ ads }) => ads.some((seen) => seen.hasIds && seen.ad === ad));
      const sourcesWithAd = sightings.flatMap(({ sources }) => sources);
      const able = counted.filter(({ sources }) => sources.some((source) => sourcesWithAd.includes(source)));
      const complete = observations.filter(({ completeness }) => completeness === 'complete');
      const due = able
        .map((observation) => observation.scan)
        .filter(
          (one) =>
            one > (sightings.at(-1)?.scan ?? 0) && complete.some((observation) => observation.scan === one),
        );
      expect(restsOn).toEqual(due);
      expect(due.at(-1)).toBe(scan);
      expect(due.length).toBeGreaterThanOrEqual(counted.at(-1)?.edited.missesToEnd ?? 0);
    }
  });
});

/** Each observation with the settings in effect, so that any of them can be left out. */
function settled({ observations, settings }: History) {
  return observations.map((observation, i) => {
    const edited = observations.slice(0, i + 1).findLast((one) => one.edited !== null)?.edited;
    return { ...observation, edited: edited ?? settings };
  });
}

/** Observations that arrived in time, from the baseline on. */
function timelyObservations(history: History) {
  const { observations } = evaluateHistory(history.observations, history.settings);
  const first = observations.findIndex(({ isBaseline }) => isBaseline);
  return settled(history).filter(
    (_, i) => first >= 0 && i >= first && observations[i]?.completeness !== null,
  );
}

/** `observed` are all conclusive observations. */
function isRepeat(observation: Observation, observed: readonly Observation[]): boolean {
  return observed.some((one) => one.scan < observation.scan && one.observedAt >= observation.observedAt);
}

function expectValidSequence(changes: readonly Change[]): void {
  changes.forEach(({ kind, isActive, reason }, i) => {
    const before = changes[i - 1];
    expect(before === undefined).toBe(kind === 'baseline' || kind === 'new');
    if (kind === 'ended' || kind === 'changed') expect(before?.isActive).toBe(true);
    if (kind === 'reactivated') expect(before?.isActive).toBe(false);
    expect(isActive).toBe(kind !== 'ended' && reason !== 'long_ago');
  });
}

function expectForRandomHistories(law: (history: History) => void): void {
  fc.assert(fc.property(randomHistories({ retries: true }), law), { seed: takeSeedNumber(), numRuns: 200 });
}
