/**
 * Share of own advertisers by log odds, on the labelled pairs that the weights were tuned with (docs/guides/advertisers.md). The sums of
 * weights rank well; only this table makes them probabilities.
 */
const knots: readonly (readonly [logit: number, share: number])[] = [
  [-6, 0.01],
  [-3.6, 0.035],
  [-2, 0.1],
  [-0.9, 0.165],
  [0, 0.25],
  [0.8, 0.35],
  [1.4, 0.48],
  [1.9, 0.8],
  [2.1, 0.88],
  [2.4, 0.94],
  [3.1, 0.97],
  [4.4, 0.985],
  [5.5, 0.99],
];

/** Probability that an advertiser with these log odds is the company's own, from 0.01 to 0.99. */
export function calibrate(logit: number): number {
  let [lowLogit, low] = knots[0] ?? [0, 0.5];
  for (const [highLogit, high] of knots) {
    if (logit <= highLogit) {
      if (highLogit === lowLogit || logit <= lowLogit) return low;
      return low + ((logit - lowLogit) / (highLogit - lowLogit)) * (high - low);
    }
    [lowLogit, low] = [highLogit, high];
  }
  return low;
}
