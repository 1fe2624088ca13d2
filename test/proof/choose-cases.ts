import type { ProofCase } from './cases.ts';
import type { ProofOptions } from './options.ts';
import type { CaseResult } from './result.ts';

/** The cases of a run: those to run, and those whose results it keeps. */
export interface Choice {
  readonly toRun: readonly ProofCase[];
  readonly kept: readonly CaseResult[];
}

/**
 * Chooses the cases of a run: the named ones, or all, except for those that have passed with this code. A seed repeats a run, so it runs
 * them again.
 *
 * @param results results of earlier runs of the same size with the same code.
 */
export function chooseCases(
  cases: readonly ProofCase[],
  results: readonly CaseResult[],
  { names, isAgain, seed }: Pick<ProofOptions, 'names' | 'isAgain' | 'seed'>,
): Choice {
  const wanted = cases.filter(({ name }) => names.length === 0 || names.includes(name));
  const keepsPassed = !isAgain && seed === null;
  const passed = results.filter(({ state }) => keepsPassed && state === 'passed');
  return {
    toRun: wanted.filter(({ name }) => !passed.some((result) => result.name === name)),
    kept: passed.filter(({ name }) => wanted.some((one) => one.name === name)),
  };
}
