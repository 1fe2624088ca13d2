import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMatchLine } from '../../../src/cli/commands/sources/parse-match-line.ts';
import {
  evaluateAdvertiser,
  type AdvertiserMatch,
} from '../../../src/core/companies/match/evaluate-advertiser.ts';

/** A pair of company and advertiser, and who the advertiser is. */
export interface LabelledPair {
  readonly line: string;
  readonly label: 'own' | 'third_party';
  readonly foundBy: 'domain' | 'name';
  /**
   * `tuned`: read while the weights were tuned; `held out`: left out of that, of the first set of pairs; `held out, new`: the same of the second
   * set, which was written before the families; `fresh`: written after the first two sets, and never read while the weights were tuned.
   */
  readonly part: PairPart;
}

/** Parts of the pairs. */
export const pairParts = ['tuned', 'held out', 'held out, new', 'fresh'] as const;
export type PairPart = (typeof pairParts)[number];

/** Sets of pairs behind the first, in the order in which they were written. All of the third are `tuned`. */
type PairSet = 'second' | 'fresh' | 'third';

/** Numbers of pairs by label and relation. */
export interface Confusion {
  readonly own: Readonly<Record<AdvertiserMatch['relation'], number>>;
  readonly third_party: Readonly<Record<AdvertiserMatch['relation'], number>>;
}

/**
 * Reads the labelled pairs. They are our own, from general knowledge of companies; fields as in
 * `companies match --ndjson`, the label, and the set. The hash of its line decides whether a pair is held out: every third one is.
 */
export function readLabelledPairs(): readonly LabelledPair[] {
  const text = readFileSync(join(import.meta.dirname, 'labelled-pairs.ndjson'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const {
        label,
        found_by: foundBy,
        set,
      } = JSON.parse(line) as {
        label: LabelledPair['label'];
        found_by: LabelledPair['foundBy'];
        set?: PairSet;
      };
      return { line, label, foundBy, part: partOf(line, set) };
    });
}

function partOf(line: string, set: PairSet | undefined): PairPart {
  if (set === 'fresh') return 'fresh';
  if (set === 'third') return 'tuned';
  const [byte = 0] = createHash('sha256').update(line).digest();
  if (byte % 3 !== 0) return 'tuned';
  return set === 'second' ? 'held out, new' : 'held out';
}

/** Evaluates a pair as the command does. */
export function evaluatePair(pair: LabelledPair): AdvertiserMatch {
  const parsed = parseMatchLine(pair.line);
  if (parsed.kind === 'invalid') throw new Error(`${parsed.reason}: ${pair.line}`);
  return evaluateAdvertiser(parsed.company, parsed.advertiser);
}

/** Counts the relations of pairs by their labels. */
export function confusionOf(pairs: readonly LabelledPair[]): Confusion {
  const confusion = {
    own: { own: 0, unknown: 0, third_party: 0 },
    third_party: { own: 0, unknown: 0, third_party: 0 },
  };
  for (const pair of pairs) confusion[pair.label][evaluatePair(pair).relation] += 1;
  return confusion;
}

/** Share of pairs called own that are. */
export function precisionOf({ own, third_party: other }: Confusion): number {
  return own.own / (own.own + other.own);
}

/** Share of own pairs that are called own. */
export function recallOf({ own }: Confusion): number {
  return own.own / (own.own + own.unknown + own.third_party);
}
