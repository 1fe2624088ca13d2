import { inject } from 'vitest';

/** `full` in `npm run proof`, `all` in `npm run test:faults`, `tenth` in the gate, unset in `npm test`. */
const runs = process.env['NIGHTSHIFT_TEST_RUNS'];

/** True if the sizes are those of the proof, some of which take hours. */
export const runsFull = runs === 'full';

/** True if every random case runs: in `npm run test:faults`, unless `NIGHTSHIFT_TEST_RUNS` says otherwise, and in the proof. */
export const runsAll = runsFull || runs === 'all';

/**
 * Number of random cases to run: all in `npm run test:faults`, a tenth in the gate, a twenty-fifth in `npm test`.
 *
 * @param min number below which the cases prove too little.
 */
export function randomRuns(all: number, min = 1): number {
  if (runsAll) return all;
  return Math.max(min, Math.ceil(all / (runs === 'tenth' ? 10 : 25)));
}

/**
 * Cases with the queue of a kind. All on Postgres and on Redis in `npm run test:faults`. Otherwise each case runs once: every fifth on
 * Redis, where only the location of jobs differs, the others on Postgres. Without Redis, all run on Postgres.
 */
export function casesOn<Case>(kind: 'postgres' | 'redis', all: readonly Case[]): readonly Case[] {
  if (runsAll || (kind === 'postgres' && inject('redisUrl') === null)) return all;
  return all.filter((_, i) => (i % 5 === 0) === (kind === 'redis'));
}
