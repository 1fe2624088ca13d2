import type { SeededBug } from './bugs.ts';
import { inLanes, withSchemaOf, type Lane } from './lane.ts';
import { countPlaces, withBug } from './patch.ts';
import { runTests, type TestChoice } from './run-tests.ts';

/** Result of one bug: detected by a failing test, survived, or no verdict with the reason. */
export interface Proof {
  readonly bug: SeededBug;
  readonly verdict: 'caught' | 'survived' | 'no verdict';
  /** First failed test, or the reason for no verdict. */
  readonly by: string;
  readonly seconds: number;
}

/** The tests without a bug. */
export interface Baseline {
  /** Number of tests that ran. */
  readonly ran: number;
  /** Tests that fail without a bug, by name, each with its reason. They detect nothing. */
  readonly unsound: ReadonlyMap<string, string>;
}

/** Runs the listed tests without a bug, in parallel lanes. Throws if they do not run. */
export async function proveSound(lanes: readonly Lane[], bugs: readonly SeededBug[]): Promise<Baseline> {
  const runs = await inLanes(lanes, choicesOf(bugs), runTests);
  const failure = runs.find((run) => run.failure !== null)?.failure ?? null;
  if (failure !== null) throw new Error(`The tests do not run without a bug:\n${failure}`);
  const failed = runs.flatMap((run) => run.failed);
  return {
    ran: runs.reduce((sum, { ran }) => sum + ran, 0),
    unsound: new Map(failed.map(({ name, reason }) => [name, reason])),
  };
}

/** Whole files if a bug needs all their tests; otherwise the tests that any bug names. */
function choicesOf(bugs: readonly SeededBug[]): readonly TestChoice[] {
  const whole = new Set(bugs.filter(({ only }) => only === undefined).flatMap(({ tests }) => tests));
  const named = bugs.filter(({ tests }) => tests.some((file) => !whole.has(file)));
  const parts = new Set(named.flatMap(({ tests }) => tests).filter((file) => !whole.has(file)));
  const only = named.map((bug) => `(?:${bug.only})`).join('|');
  return [{ tests: [...parts], only }, { tests: [...whole] }].filter(({ tests }) => tests.length > 0);
}

/** Inserts one bug and expects one of its tests to fail that passes without it. */
export async function prove(
  lane: Lane,
  bug: SeededBug,
  { unsound }: Pick<Baseline, 'unsound'>,
): Promise<Proof> {
  const places = countPlaces(lane.root, bug);
  if (places !== 1) {
    const by = `its text stands ${places} times in ${bug.file}, not once: bring test/seeded-bugs up to date`;
    return { bug, verdict: 'no verdict', by, seconds: 0 };
  }
  const { failure, failed, seconds } = await withBug(lane.root, bug, () =>
    runTests(withSchemaOf(lane, bug.file), { ...bug, firstOnly: true }),
  );
  const [first] = failed;
  if (failure !== null) return { bug, verdict: 'no verdict', by: failure, seconds };
  if (first === undefined)
    return { bug, verdict: 'survived', by: `nothing in ${bug.tests.join(', ')}`, seconds };
  if (unsound.has(first.name))
    return { bug, verdict: 'no verdict', by: `"${first.name}" fails without a bug, too`, seconds };
  return { bug, verdict: 'caught', by: first.name, seconds };
}
