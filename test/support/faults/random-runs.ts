/** `all` in `npm run test:faults`, `fifth` in the gate, unset in `npm test`. */
const runs = process.env['NIGHTSHIFT_TEST_RUNS'];

/** True if every random case runs: in `npm run test:faults`, unless `NIGHTSHIFT_TEST_RUNS` says otherwise. */
export const runsAll = runs === 'all';

/** Number of random cases to run: all in `npm run test:faults`, a fifth in the gate, a twenty-fifth in `npm test`. */
export function randomRuns(all: number): number {
  if (runsAll) return all;
  return Math.ceil(all / (runs === 'fifth' ? 5 : 25));
}

/** Cases with the queue of a kind: all on Postgres; on Redis, where only the location of jobs differs, every fifth in the gate. */
export function casesOn<Case>(kind: 'postgres' | 'redis', all: readonly Case[]): readonly Case[] {
  return kind === 'postgres' || runsAll ? all : all.filter((_, i) => i % 5 === 0);
}
