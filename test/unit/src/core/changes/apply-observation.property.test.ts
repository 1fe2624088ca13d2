import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AdChange } from '../../../../../src/core/changes/ad-change.ts';
import type { SeenAd } from '../../../../../src/core/changes/observation.ts';
import { applyObservation } from '../../../../../src/core/changes/apply-observation.ts';
import { countActive } from '../../../../../src/core/changes/tracked-ad.ts';
import {
  ad,
  dayOf,
  buildScenario,
  usualSettings,
  type ObservationChanges,
} from '../../../../support/scans/observations.ts';
import { randomRuns } from '../../../../support/faults/random-runs.ts';

const day = fc.integer({ min: -30, max: 12 }).map(dayOf);
const seenAd = fc
  .record({
    adId: fc.integer({ min: 1, max: 5 }),
    version: fc.integer({ min: 0, max: 2 }),
    start: fc.option(day),
    lastSeen: fc.option(day),
  })
  .map(({ adId, version, ...days }) => ad(adId, { versionId: BigInt(adId * 100 + version), ...days }));
const sources = fc.uniqueArray(fc.constantFrom('serpapi', 'adyntel', 'snapshot'), { minLength: 1 });
const found: fc.Arbitrary<ObservationChanges> = fc.record({
  ads: fc.uniqueArray(seenAd, { minLength: 1, selector: ({ adId }) => adId }),
  partial: fc.boolean(),
  truncated: fc.boolean(),
  sources: sources.map((names) => names.slice(0, 1)),
});
const empty: fc.Arbitrary<ObservationChanges> = fc.record({
  outcome: fc.constantFrom('none', 'no_match'),
  sources,
});
const scenario = fc.array(fc.oneof({ weight: 4, arbitrary: found }, { weight: 1, arbitrary: empty }), {
  minLength: 1,
  maxLength: 12,
});
const numRuns = randomRuns(2000);

test('changes do not depend on the order of the ads in an answer', () => {
  fc.assert(
    fc.property(scenario, fc.integer({ min: 1, max: 100 }), (reported, salt) => {
      const straight = buildScenario();
      const shuffled = buildScenario();
      const place = ({ adId }: SeenAd) => (Number(adId) * salt) % 101;
      for (const one of reported) {
        const ads = [...(one.ads ?? [])].sort((a, b) => place(a) - place(b));
        expect(shuffled.observation({ ...one, ads })).toEqual(straight.observation(one));
      }
    }),
    { numRuns },
  );
});

test('the same observation a second time has no changes', () => {
  fc.assert(
    fc.property(scenario, (reported) => {
      const played = buildScenario();
      for (const one of reported) played.observation(one);
      const state = played.state();
      if (state === null) return;
      const { lastObservedAt: observedAt, lastOutcome: outcome, lastSources, lastDay } = state.company;
      const again = { scanId: 99n, partial: false, truncated: false, observedAt, day: lastDay };
      const ads = reported.at(-1)?.ads ?? [];
      const tracked = applyObservation(
        state,
        { ...again, outcome, sources: lastSources, ads },
        usualSettings,
      );
      expect(tracked.changes).toEqual([]);
      expect(tracked.state).toBe(state);
    }),
    { numRuns },
  );
});

test('an ad starts once, ends only while it is active and is reactivated only after it ended', () => {
  fc.assert(
    fc.property(scenario, (reported) => {
      const played = buildScenario();
      const running = new Map<bigint, boolean>();
      for (const one of reported) {
        const { changes, state, adsActive } = played.observation(one);
        for (const change of changes) {
          expect(running.get(change.adId)).toBe(ranBefore(change));
          running.set(change.adId, change.isActive);
        }
        const runs = [...running].filter(([, isActive]) => isActive).map(([adId]) => adId);
        expect(
          [...(state?.ads.values() ?? [])]
            .filter((each) => each.isActive)
            .map((each) => each.adId)
            .sort(),
        ).toEqual(runs.sort());
        expect(adsActive).toBe(runs.length);
        expect(countActive(state?.ads ?? new Map())).toBe(runs.length);
      }
    }),
    { numRuns },
  );
});

test('the end of an ad rests on complete observations without it, or on its last-seen date', () => {
  fc.assert(
    fc.property(scenario, (reported) => {
      const played = buildScenario();
      const observations = reported.map((one) => ({ one, tracked: played.observation(one) }));
      for (const { tracked } of observations) {
        for (const { adId, kind, reason, restsOn } of tracked.changes) {
          if (kind !== 'ended' || reason !== 'not_seen') continue;
          expect(restsOn).toHaveLength(usualSettings.missesToEnd);
          for (const scanId of restsOn) {
            const { one, tracked: missed } = observations[Number(scanId) - 1] ?? {};
            expect(missed?.completeness).toBe('complete');
            expect(one?.ads?.some((each) => each.adId === adId) ?? false).toBe(false);
          }
        }
      }
    }),
    { numRuns },
  );
});

/** State that a change requires; undefined: the ad was unknown. */
function ranBefore({ kind }: AdChange): boolean | undefined {
  if (kind === 'baseline' || kind === 'new') return undefined;
  return kind !== 'reactivated';
}
