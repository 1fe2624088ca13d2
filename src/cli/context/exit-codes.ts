import type { PauseKind } from '../../core/work/pause.ts';
import { refusalKind } from '../../core/sources/source-errors.ts';
import { EnrichError, SourcePaused, SourceRefused, type ErrorCode } from '../../core/errors.ts';

/** The exit codes, the same for every command (docs/architecture/api.md). */
export const exitCodes = {
  done: 0,
  someFailed: 1,
  wrongUsage: 2,
  outOfCredits: 3,
  keyRefused: 4,
  serverAway: 5,
  interrupted: 130,
} as const;

/** Meaning of each exit code, as `--help` and docs/reference/cli.md list it. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  someFailed: 'finished, but lookups failed or a check found something',
  wrongUsage: 'wrong usage or configuration',
  outOfCredits: 'credits, a call budget or a limit of the account are used up',
  keyRefused: 'the key of a source is missing or rejected',
  serverAway: 'database or queue unreachable',
  interrupted: 'interrupted',
};

const codeOf: Readonly<Record<ErrorCode, number>> = {
  validation_error: exitCodes.wrongUsage,
  too_large: exitCodes.wrongUsage,
  misconfigured: exitCodes.wrongUsage,
  not_found: exitCodes.wrongUsage,
  conflict: exitCodes.wrongUsage,
  insufficient_credits: exitCodes.outOfCredits,
  limit_reached: exitCodes.outOfCredits,
  source_throttled: exitCodes.someFailed,
  source_unavailable: exitCodes.someFailed,
  source_refused: exitCodes.keyRefused,
  source_unreadable: exitCodes.someFailed,
  source_blocked: exitCodes.someFailed,
  source_paused: exitCodes.someFailed,
  in_doubt: exitCodes.someFailed,
  database_unavailable: exitCodes.serverAway,
  queue_unavailable: exitCodes.serverAway,
  lease_lost: exitCodes.someFailed,
};

/**
 * Exit code of a command that cannot wait for a source: a key to fix, an account to pay for, a budget to raise, or a source that cannot
 * help. 4 is the key alone.
 */
export const exitCodeOfPause: Readonly<Record<PauseKind, number>> = {
  refused: exitCodes.keyRefused,
  unpaid: exitCodes.outOfCredits,
  declined: exitCodes.someFailed,
  budget: exitCodes.outOfCredits,
  blocked: exitCodes.someFailed,
  failing: exitCodes.someFailed,
};

/** The exit code for an error that ends a command; anything unexpected is 1, beside its stack. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof SourcePaused) return exitCodeOfPause[error.kind];
  if (error instanceof SourceRefused) return exitCodeOfPause[refusalKind(error)];
  return error instanceof EnrichError ? codeOf[error.code] : exitCodes.someFailed;
}
