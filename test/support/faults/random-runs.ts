/** True where every random case is to be run: `npm run test:faults`, unless `NIGHTSHIFT_TEST_RUNS` says otherwise. */
export const runsAll = process.env['NIGHTSHIFT_TEST_RUNS'] === 'all';

/** Number of random cases to run: a fifth in `npm test` and in the gate, all in `npm run test:faults`. */
export function randomRuns(all: number): number {
  return runsAll ? all : Math.ceil(all / 5);
}
