import { expect } from 'vitest';
import { faultWaitMsMax } from '../wait-bound.ts';
import { runNightshift, type Environment } from './nightshift-process.ts';

/** Runs `nightshift ARGS`, which must end with 0. The message of a failure has the end of its stderr. */
export async function runToSuccess(
  args: readonly string[],
  environment: Environment,
  { timeoutMs = faultWaitMsMax } = {},
): Promise<void> {
  const ended = await runNightshift(args, environment, { timeoutMs });
  expect([args[0], ended.exitCode, ended.stderr.slice(-2000)]).toEqual([args[0], 0, expect.any(String)]);
}
