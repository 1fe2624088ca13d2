import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, History, Look } from '../../../support/scans/history.ts';
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
  holdsAlways((history) => {
    const { settings } = history;
    const looks = settled(history);
    const speaking = looks.filter(({ outcome }) => ['found', 'none', 'no_match'].includes(outcome));
    expect(judgeHistory(speaking, settings).changes).toEqual(judgeHistory(looks, settings).changes);
  });
});

test('an answer that was shown before could as well not have been shown again', () => {
  holdsAlways((history) => {
    const looks = heardOf(history);
    const judged = judgeHistory(looks, history.settings);
    const [first = [], again = []] = [false, true].map((is) =>
      looks.filter((look) => isRepeat(look, looks) === is),
    );
    expect(judged.changes.filter(({ scan }) => again.some((look) => look.scan === scan))).toEqual([]);
    const due = judgeHistory(first, history.settings);
    expect(judged.changes).toEqual(due.changes);
    expect(judged.looks.filter(({ scan }) => first.some((look) => look.scan === scan))).toEqual(due.looks);
  });
});

test('an ad begins once, ends only while it runs, and comes back only while it does not', () => {
  holdsAlways(({ looks, settings }) => {
    const { changes } = judgeHistory(looks, settings);
    for (const ad of new Set(changes.map((change) => change.ad)))
      expectCourse(changes.filter((change) => change.ad === ad));
  });
});

test('an ad that was not seen ends on enough complete looks by who knew it, since none of which anybody saw it', () => {
  holdsAlways((history) => {
    const heard = heardOf(history);
    const { changes, looks } = judgeHistory(heard, history.settings);
    for (const { ad, scan, restsOn } of changes.filter(({ reason }) => reason === 'not_seen')) {
      const counted = heard.filter((look) => look.scan <= scan && !isRepeat(look, heard));
      const sightings = counted.filter(({ ads }) => ads.some((seen) => seen.hasIds && seen.ad === ad));
      const knowers = sightings.flatMap(({ sources }) => sources);
      const able = counted.filter(({ sources }) => sources.some((source) => knowers.includes(source)));
      const complete = looks.filter(({ completeness }) => completeness === 'complete');
      const due = able
        .map((look) => look.scan)
        .filter((one) => one > (sightings.at(-1)?.scan ?? 0) && complete.some((look) => look.scan === one));
      expect(restsOn).toEqual(due);
      expect(due.at(-1)).toBe(scan);
      expect(due.length).toBeGreaterThanOrEqual(counted.at(-1)?.edited.missesToEnd ?? 0);
    }
  });
});

/** Each with the numbers that hold for it, so that any of them may be left out. */
function settled({ looks, settings }: History) {
  return looks.map((look, i) => {
    const edited = looks.slice(0, i + 1).findLast((one) => one.edited !== null)?.edited;
    return { ...look, edited: edited ?? settings };
  });
}

/** Those that said something in time, from the baseline on. */
function heardOf(history: History) {
  const { looks } = judgeHistory(history.looks, history.settings);
  const first = looks.findIndex(({ isBaseline }) => isBaseline);
  return settled(history).filter((_, i) => first >= 0 && i >= first && looks[i]?.completeness !== null);
}

/** `heard` are all that said something. */
function isRepeat(look: Look, heard: readonly Look[]): boolean {
  return heard.some((one) => one.scan < look.scan && one.observedAt >= look.observedAt);
}

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
