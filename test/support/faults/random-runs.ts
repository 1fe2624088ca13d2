/** `all` in `npm run test:faults`, `fifth` in the gate, nothing in `npm test`. */
const runs = process.env['NIGHTSHIFT_TEST_RUNS'];

/** True where every random case is to be run: `npm run test:faults`, unless `NIGHTSHIFT_TEST_RUNS` says otherwise. */
export const runsAll = runs === 'all';

/** Number of random cases to run: all in `npm run test:faults`, a fifth in the gate, a twenty-fifth in `npm test`. */
export function randomRuns(all: number): number {
  if (runsAll) return all;
  return Math.ceil(all / (runs === 'fifth' ? 5 : 25));
}
