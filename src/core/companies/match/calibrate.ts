/**
 * Share of own advertisers by log odds, on the labelled pairs that the weights were tuned with (docs/guides/advertisers.md). The sums of
 * weights rank well; only this table makes them probabilities.
 */
const knots: readonly (readonly [logit: number, share: number])[] = [
  [-8, 0.01],
  [-5, 0.02],
  [-3.5, 0.08],
  [-1.9, 0.13],
  [-0.9, 0.23],
  [0, 0.3],
  [1, 0.5],
  [1.4, 0.62],
  [1.8, 0.8],
  [2.05, 0.9],
  [2.4, 0.955],
  [3.3, 0.974],
  [4.3, 0.983],
  [5.4, 0.99],
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
