import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ProofCase } from './cases.ts';
import { chooseCases } from './choose-cases.ts';
import { endProcesses } from './end-processes.ts';
import type { ProofOptions } from './options.ts';
import { resultText, type CaseResult } from './result.ts';
import type { Revision } from './revision.ts';
import { runCase, type ProofPlaces } from './run-case.ts';
import { readState, withResult, writeState } from './state.ts';

/** Surroundings of a proof. */
export interface ProofSurroundings {
  readonly places: ProofPlaces;
  readonly revision: Revision;
  readonly machine: string;
  /** Ends the case that runs, and rejects; results until then are kept. */
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
  /** Takes what the tests print. */
  readonly onOutput: (text: Buffer) => void;
  /** Called with each new result. */
  readonly onResult: (result: CaseResult) => Promise<void>;
}

/** File of the state of runs of this size. */
export function stateFile({ output }: ProofPlaces, { isSmall }: Pick<ProofOptions, 'isSmall'>): string {
  return join(output, `${isSmall ? 'small' : 'full'}-state.json`);
}

/**
 * Runs the chosen cases one after the other and returns their results, with those that had passed before.
 *
 * @throws the reason of the signal when it aborts.
 */
export async function prove(
  cases: readonly ProofCase[],
  options: ProofOptions,
  { places, revision, machine, signal, say, onOutput, onResult }: ProofSurroundings,
): Promise<readonly CaseResult[]> {
  const file = stateFile(places, options);
  let { results, running } = readState(file, revision.code);
  const store = () => writeState(file, { code: revision.code, results, running });
  // Left by a proof that was killed.
  await endProcesses(running);
  const { toRun, kept } = chooseCases(cases, results, options);
  for (const { name } of kept) say(`${name}: has passed with this code`);
  const ran: CaseResult[] = [];
  for (const one of toRun) {
    const seed = options.seed ?? randomBytes(4).toString('hex');
    const again = `npm run proof -- ${one.name} --seed ${seed}${options.isSmall ? ' --small' : ''}`;
    say(`${one.name}: about ${one.expectedMinutes} min, at most ${one.minutesMax}. Repeat with\n  ${again}`);
    const outcome = await runCase(places, one, {
      size: options.isSmall ? 'small' : 'full',
      seed,
      signal,
      onOutput,
      onStarted(words) {
        running = words;
        store();
      },
    });
    const date = new Date().toISOString().slice(0, 10);
    const result = { ...outcome, date, commit: revision.commit, machine };
    ran.push(result);
    results = withResult(results, result);
    running = [];
    store();
    say(`${one.name}: ${resultText(result)} after ${result.seconds} s`);
    await onResult(result);
  }
  return [...kept, ...ran];
}
