import type { PauseKind } from '../../core/work/pause.ts';
import { refusalKind } from '../../core/sources/source-errors.ts';
import { EnrichError, SourcePaused, SourceRefused, type ErrorCode } from '../../core/errors.ts';

/** The exit codes, the same for every command (docs/architecture/api.md). */
export const exitCodes = {
  done: 0,
  someFailed: 1,
  wrongUsage: 2,
  outOfCredits: 3,
  keyRejected: 4,
  serverUnreachable: 5,
  interrupted: 130,
} as const;

/** Meanings of the exit codes, as `--help` and docs/reference/cli.md list them. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'success',
  someFailed: 'finished, but lookups failed or a check found problems',
  wrongUsage: 'wrong usage or configuration',
  outOfCredits: 'credits, a call budget or a limit of the account are used up',
  keyRejected: 'the key of a source is missing or rejected',
  serverUnreachable: 'database or queue unreachable',
  interrupted: 'interrupted',
};

const codeOf: Readonly<Record<ErrorCode, number>> = {
  validation_error: exitCodes.wrongUsage,
  too_large: exitCodes.wrongUsage,
  misconfigured: exitCodes.wrongUsage,
  not_found: exitCodes.wrongUsage,
  conflict: exitCodes.wrongUsage,
  not_permitted: exitCodes.wrongUsage,
  insufficient_credits: exitCodes.outOfCredits,
  limit_reached: exitCodes.outOfCredits,
  source_throttled: exitCodes.someFailed,
  source_unavailable: exitCodes.someFailed,
  source_refused: exitCodes.keyRejected,
  source_unreadable: exitCodes.someFailed,
  source_blocked: exitCodes.someFailed,
  source_paused: exitCodes.someFailed,
  in_doubt: exitCodes.someFailed,
  storage_unavailable: exitCodes.someFailed,
  storage_rejected: exitCodes.someFailed,
  database_unavailable: exitCodes.serverUnreachable,
  queue_unavailable: exitCodes.serverUnreachable,
  lease_lost: exitCodes.someFailed,
};

/**
 * Exit codes of a command that cannot wait for a source, by the reason of the pause. 4 stands for a rejected key only.
 */
export const exitCodeOfPause: Readonly<Record<PauseKind, number>> = {
  refused: exitCodes.keyRejected,
  unpaid: exitCodes.outOfCredits,
  declined: exitCodes.someFailed,
  budget: exitCodes.outOfCredits,
  blocked: exitCodes.someFailed,
  failing: exitCodes.someFailed,
};

/** Returns the exit code for an error that ends a command. An unexpected error is 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof SourcePaused) return exitCodeOfPause[error.kind];
  if (error instanceof SourceRefused) return exitCodeOfPause[refusalKind(error)];
  return error instanceof EnrichError ? codeOf[error.code] : exitCodes.someFailed;
}
