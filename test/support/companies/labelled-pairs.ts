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
  /** Left out while the weights were tuned. */
  readonly isHeldOut: boolean;
}

/** Numbers of pairs by label and relation. */
export interface Confusion {
  readonly own: Readonly<Record<AdvertiserMatch['relation'], number>>;
  readonly third_party: Readonly<Record<AdvertiserMatch['relation'], number>>;
}

/**
 * Reads the labelled pairs. They are our own, from general knowledge of companies, written before the weights; fields as in
 * `companies match --ndjson`, and the label. The hash of its line decides whether a pair is held out: every third one is.
 */
export function readLabelledPairs(): readonly LabelledPair[] {
  const text = readFileSync(join(import.meta.dirname, 'labelled-pairs.ndjson'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const { label, found_by: foundBy } = JSON.parse(line) as {
        label: LabelledPair['label'];
        found_by: LabelledPair['foundBy'];
      };
      const [byte = 0] = createHash('sha256').update(line).digest();
      return { line, label, foundBy, isHeldOut: byte % 3 === 0 };
    });
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
