import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns } from '../../../../support/faults/random-runs.ts';
import { describeJudgement } from '../../../../support/scans/describe-history.ts';
import type { Evaluation } from '../../../../support/scans/history.ts';
import { applyHistory } from '../../../../support/scans/apply-history.ts';
import { randomHistories } from '../../../../support/scans/random-histories.ts';
import { evaluateHistory } from '../../../../support/scans/reference-model.ts';
import { takeSeedNumber } from '../../../../support/seed-number.ts';

test('changes of random histories equal those of the reference model', () => {
  const property = fc.property(randomHistories({ retries: false }), ({ observations, settings }) => {
    expectSame(applyHistory(observations, settings), evaluateHistory(observations, settings));
  });
  fc.assert(property, { seed: takeSeedNumber(), numRuns: randomRuns(10_000) });
});

/** Compares the descriptions first, because their differences are easy to read. */
function expectSame(actual: Evaluation, due: Evaluation): void {
  if (isDeepStrictEqual(actual, due)) return;
  expect(describeJudgement(actual)).toEqual(describeJudgement(due));
  expect(actual).toEqual(due);
}
