import type { SeededBug } from './bugs.ts';
import { countPlaces, withBug } from './patch.ts';
import { runTests, type TestRun } from './run-tests.ts';

/** What became of one bug: caught by a failing test, survived, or no verdict with the reason why. */
export interface Proof {
  readonly bug: SeededBug;
  readonly verdict: 'caught' | 'survived' | 'no verdict';
  /** The test that failed first, or what stood in the way. */
  readonly by: string;
  readonly seconds: number;
}

/**
 * Shows that every test of the list passes on the sound tree at `root`; throws naming the first that does not.
 *
 * Builds the command line once, too.
 */
export async function proveSound(root: string, bugs: readonly SeededBug[]): Promise<TestRun> {
  const run = await runTests(root, { tests: [...new Set(bugs.flatMap(({ tests }) => tests))] });
  const [failed] = run.failed;
  if (run.trouble !== null) throw new Error(`The tests do not run without a bug:\n${run.trouble}`);
  if (failed !== undefined) throw new Error(`"${failed.name}" fails without a bug: ${failed.reason}`);
  return run;
}

/** Puts one bug in and expects a test of its own to fail. */
export async function prove(root: string, bug: SeededBug): Promise<Proof> {
  const places = countPlaces(root, bug);
  if (places !== 1) {
    const by = `its text stands ${places} times in ${bug.file}, not once: bring test/seeded-bugs up to date`;
    return { bug, verdict: 'no verdict', by, seconds: 0 };
  }
  const { trouble, failed, seconds } = await withBug(root, bug, () =>
    runTests(root, { ...bug, firstOnly: true }),
  );
  const [first] = failed;
  if (trouble !== null) return { bug, verdict: 'no verdict', by: trouble, seconds };
  if (first === undefined)
    return { bug, verdict: 'survived', by: `nothing in ${bug.tests.join(', ')}`, seconds };
  return { bug, verdict: 'caught', by: first.name, seconds };
}
