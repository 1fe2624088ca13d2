import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, History } from '../../../support/scans/history.ts';
import { randomHistories } from '../../../support/scans/random-histories.ts';
import { judgeHistory } from '../../../support/scans/reference-model.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

test('what was told is not taken back: a later look changes nothing of what the earlier ones came to', () => {
  holdsAlways(({ looks, settings }) => {
    const whole = judgeHistory(looks, settings);
    for (const [i] of looks.entries()) {
      const part = judgeHistory(looks.slice(0, i), settings);
      expect(part.looks).toEqual(whole.looks.slice(0, i));
      expect(part.changes).toEqual(whole.changes.slice(0, part.changes.length));
    }
  });
});

test('a scan that failed, was cancelled or is open could as well not have been', () => {
  holdsAlways(({ looks, settings }) => {
    const speaking = looks.filter(({ outcome }) => ['found', 'none', 'no_match'].includes(outcome));
    expect(judgeHistory(speaking, settings).changes).toEqual(judgeHistory(looks, settings).changes);
  });
});

test('an ad begins once, ends only while it runs, and comes back only while it does not', () => {
  holdsAlways(({ looks, settings }) => {
    const { changes } = judgeHistory(looks, settings);
    for (const ad of new Set(changes.map((change) => change.ad)))
      expectCourse(changes.filter((change) => change.ad === ad));
  });
});

test('an ad that was not seen ends on as many complete looks of one source as were asked for, none of which shows it', () => {
  holdsAlways(({ looks, settings }) => {
    const { changes, looks: judged } = judgeHistory(looks, settings);
    for (const { ad, scan, restsOn } of changes.filter(({ reason }) => reason === 'not_seen')) {
      const misses = looks.filter(
        (look, i) => restsOn.includes(look.scan) && judged[i]?.completeness !== null,
      );
      const completeness = judged
        .filter(({ scan: one }) => restsOn.includes(one))
        .map((one) => one.completeness);
      expect(restsOn).toHaveLength(settings.missesToEnd);
      expect(restsOn.at(-1)).toBe(scan);
      expect(completeness.filter((one) => one !== null && one !== 'complete')).toEqual([]);
      expect(new Set(misses.map(({ source }) => source)).size).toBe(1);
      expect(misses.some(({ ads }) => ads.some((seen) => seen.hasIds && seen.ad === ad))).toBe(false);
    }
  });
});

function expectCourse(changes: readonly Change[]): void {
  changes.forEach(({ kind, isActive, reason }, i) => {
    const before = changes[i - 1];
    expect(before === undefined).toBe(kind === 'baseline' || kind === 'new');
    if (kind === 'ended' || kind === 'changed') expect(before?.isActive).toBe(true);
    if (kind === 'reactivated') expect(before?.isActive).toBe(false);
    expect(isActive).toBe(kind !== 'ended' && reason !== 'long_ago');
  });
}

function holdsAlways(law: (history: History) => void): void {
  fc.assert(fc.property(randomHistories({ retries: true }), law), { seed: takeSeedNumber(), numRuns: 200 });
}
