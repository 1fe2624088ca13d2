/** Of so many random cases a fifth in `npm test`, which people wait for; all of them in the suite of `npm run test:faults`. */
export function randomRuns(all: number): number {
  return process.env['NIGHTSHIFT_TEST_RUNS'] === 'all' ? all : Math.ceil(all / 5);
}
