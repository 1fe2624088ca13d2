import { describe, expect, test } from 'vitest';
import { matchReasons } from '../../../../../../src/core/companies/match/reasons.ts';
import { readDocument, tableRowsOf } from '../../../../../support/docs/markdown.ts';
import {
  confusionOf,
  evaluatePair,
  pairParts,
  precisionOf,
  readLabelledPairs,
  recallOf,
  type LabelledPair,
  type PairPart,
} from '../../../../../support/companies/labelled-pairs.ts';

const guide = 'docs/guides/advertisers.md';
const pairs = readLabelledPairs();
const chosen = pairs.filter(({ part }) => part !== 'fresh');
const heldOut = chosen.filter(({ part }) => part !== 'tuned');

/** Floors on the pairs that were held out; the guide has the figures. */
const floors = [
  { foundBy: 'domain', precision: 0.98, recall: 0.94 },
  { foundBy: 'name', precision: 0.95, recall: 0.86 },
] as const;

describe('labelled pairs', () => {
  test('a third of at least 600 pairs is held out, and no pair is repeated', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(600);
    expect(heldOut.length / chosen.length).toBeCloseTo(1 / 3, 1);
    expect(new Set(pairs.map(({ line }) => line)).size).toBe(pairs.length);
  });

  test.each(floors)(
    '$foundBy: precision and recall of own stay above their floors',
    ({ foundBy, precision, recall }) => {
      const confusion = confusionOf(heldOut.filter((pair) => pair.foundBy === foundBy));
      expect(precisionOf(confusion)).toBeGreaterThanOrEqual(precision);
      expect(recallOf(confusion)).toBeGreaterThanOrEqual(recall);
    },
  );

  test('a confidence of own is the share of pairs that are, within three points', () => {
    const called = heldOut
      .map((pair) => ({ pair, match: evaluatePair(pair) }))
      .filter(({ match }) => match.relation === 'own');
    const mean = called.reduce((sum, { match }) => sum + match.confidence, 0) / called.length;
    const share = called.filter(({ pair }) => pair.label === 'own').length / called.length;
    expect(Math.abs(mean - share)).toBeLessThan(0.03);
  });

  test('the guide publishes the figures', () => {
    const rows = tableRowsOf(guide).map(cellsOf);
    for (const part of pairParts) {
      for (const foundBy of ['`domain`', '`name`', 'both']) {
        const selected = pairs.filter((pair) => isIn(pair, part, foundBy));
        expect(rows).toContainEqual([part, foundBy, ...figuresOf(selected)]);
      }
    }
    expect(readDocument(guide)).toContain(`${pairs.length.toLocaleString('en-US')} pairs`);
  });

  test('the guide explains every reason', () => {
    const rows = tableRowsOf(guide).map(cellsOf);
    for (const [reason, meaning] of Object.entries(matchReasons))
      expect(rows).toContainEqual([`\`${reason}\``, meaning]);
  });
});

function cellsOf(row: string): readonly string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function isIn({ part: own, foundBy }: LabelledPair, part: PairPart, way: string): boolean {
  return own === part && (way === 'both' || way === `\`${foundBy}\``);
}

function figuresOf(selected: readonly LabelledPair[]): readonly string[] {
  const confusion = confusionOf(selected);
  const { own, third_party: other } = confusion;
  return [
    `${own.own} / ${own.unknown} / ${own.third_party}`,
    `${other.own} / ${other.unknown} / ${other.third_party}`,
    precisionOf(confusion).toFixed(3),
    recallOf(confusion).toFixed(3),
  ];
}
