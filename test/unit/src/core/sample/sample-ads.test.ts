import { describe, expect, test } from 'vitest';
import { listDays } from '../../../../../src/core/reports/days.ts';
import { sampleLabel, sampleRows } from '../../../../../src/core/sample/sample-ads.ts';
import { staleDaysBounds } from '../../../../../src/core/schedules/schedule.ts';
import type { SnapshotRow } from '../../../../../src/core/sources/snapshot-store.ts';
import { addDays } from '../../../../../src/core/time/day.ts';

const day = '2026-11-27';
const days = listDays(day, addDays(day, 60));

/** Ads of a day by their creative, without what every day changes: the last days and the counts of running ads. */
function contentsOf(rows: readonly SnapshotRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ creativeId, content }) => [creativeId, JSON.stringify(content)]));
}

describe('sample of a day', () => {
  test('is the same whenever it is generated, and another one on the next day', () => {
    expect(sampleRows(day)).toEqual(sampleRows(day));
    expect(sampleRows(addDays(day, 1))).not.toEqual(sampleRows(day));
  });

  test('has ads that run on that day, ads that have ended, and none of a later day', () => {
    const rows = sampleRows(day);
    const running = rows.filter(({ lastSeen }) => lastSeen === day);
    expect(running.length).toBeGreaterThan(rows.length / 2);
    expect(running.length).toBeLessThan(rows.length);
    for (const { start, lastSeen, details } of rows) {
      expect(start !== null && lastSeen !== null && start <= lastSeen && lastSeen <= day).toBe(true);
      for (const { firstShown, lastShown } of details?.regions ?? [])
        expect(
          [firstShown, lastShown].every(
            (shown) => shown !== null && shown >= (start ?? '') && shown <= (lastSeen ?? ''),
          ),
        ).toBe(true);
    }
  });

  test('names its payer as generated data in every ad', () => {
    expect(sampleRows(day).filter(({ details }) => details?.payer !== sampleLabel)).toEqual([]);
  });

  test('has texts that name the brand without its legal form, and links to a reserved domain', () => {
    const texts = sampleRows(day).map(({ content }) => content?.text);
    expect(texts.every((text) => text?.finalUrl?.startsWith('https://example.com/'))).toBe(true);
    const headlines = texts.map((text) => text?.headline ?? '');
    expect(headlines.filter((headline) => /, Inc\.|%|\bGmbH\b|株式会社/.test(headline))).toEqual([]);
    expect(headlines.some((headline) => headline.includes('Nike'))).toBe(true);
  });
});

describe('sample from day to day', () => {
  test('has as many ads of each advertiser, with distinct ids', () => {
    const counts = (rows: readonly SnapshotRow[]) =>
      rows.reduce<Record<string, number>>(
        (before, { advertiserId }) => ({ ...before, [advertiserId]: (before[advertiserId] ?? 0) + 1 }),
        {},
      );
    const first = counts(sampleRows(day));
    for (const each of [addDays(day, 1), addDays(day, 400)]) {
      expect(counts(sampleRows(each))).toEqual(first);
      expect(contentsOf(sampleRows(each)).size).toBe(1372);
    }
  });

  test('starts, revises and ends ads on most days, and never all of them', () => {
    const quiet = { started: 0, revised: 0, ended: 0 };
    let before = contentsOf(sampleRows(day));
    for (const today of days.slice(1)) {
      const rows = sampleRows(today);
      const now = contentsOf(rows);
      const started = rows.filter(({ creativeId }) => !before.has(creativeId));
      const revised = [...now].filter(([id, content]) => (before.get(id) ?? content) !== content);
      const ended = rows.filter(({ lastSeen }) => lastSeen === addDays(today, -1));
      expect(started.every(({ start }) => start === today)).toBe(true);
      expect(started.length + revised.length + ended.length).toBeLessThan(rows.length / 10);
      if (started.length === 0) quiet.started += 1;
      if (revised.length === 0) quiet.revised += 1;
      if (ended.length === 0) quiet.ended += 1;
      before = now;
    }
    expect(Math.max(...Object.values(quiet))).toBeLessThan(5);
  });

  test('lists an ended ad until every schedule with the default terms has reported its end', () => {
    const listed = new Map<string, string>();
    let left = 0;
    for (const today of days) {
      const rows = sampleRows(today);
      const ids = new Set(rows.map(({ creativeId }) => creativeId));
      for (const [id, lastSeen] of listed)
        if (!ids.has(id)) {
          expect(today > addDays(lastSeen, staleDaysBounds.standard + 7)).toBe(true);
          listed.delete(id);
          left += 1;
        }
      for (const { creativeId, lastSeen } of rows) listed.set(creativeId, lastSeen ?? '');
    }
    expect(left).toBeGreaterThan(100);
  });
});
