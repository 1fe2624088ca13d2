import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { caseResult, type CaseResult } from './result.ts';

/** State between runs of the proof: results with one state of the code, and the run in progress. */
export interface ProofState {
  /** Hash of everything but the documentation. */
  readonly code: string;
  readonly results: readonly CaseResult[];
  /** Words in the environment, the command or the folder of every process of the case that runs, or ran when the proof was killed. */
  readonly running: readonly string[];
}

const stored = z.object({
  code: z.string(),
  results: z.array(caseResult),
  running: z.array(z.string()),
});

/** Reads the state; results with other code are dropped. Without a readable file, nothing has run. */
export function readState(file: string, code: string): ProofState {
  const state = stored.safeParse(readJson(file));
  if (!state.success) return { code, results: [], running: [] };
  return { code, results: state.data.code === code ? state.data.results : [], running: state.data.running };
}

/** Replaces the state, in one step. */
export function writeState(file: string, state: ProofState): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.tmp`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${file}.tmp`, file);
}

/** Puts a result in the place of an earlier one of the same case. */
export function withResult(results: readonly CaseResult[], result: CaseResult): readonly CaseResult[] {
  return [...results.filter(({ name }) => name !== result.name), result];
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return null;
  }
}
