import type { FixtureHistory } from './history-fixture.ts';

const nike = 'd:nike.com';
const puma = 'd:puma.com';

/**
 * Writes a week of ads: `a` runs throughout, `b` is missed on the 5th and the 6th and returns on the 9th, `c` is new on the 3rd
 * and changes on the 6th, `old` has not run since January. Puma has `p`, which on the 5th its source has not seen for a long
 * time. Returns the public ids of the scans, with the tick of the 7th, which made none.
 */
export async function writeWeek(history: FixtureHistory): Promise<readonly string[]> {
  return [
    await history.run({
      day: '2026-03-01',
      observations: {
        [nike]: {
          changes: [
            { kind: 'baseline', reason: 'first_scan', ad: 'a', ranFrom: '2026-02-10' },
            { kind: 'baseline', reason: 'first_scan', ad: 'b', ranFrom: '2026-03-01' },
            {
              kind: 'baseline',
              reason: 'long_ago',
              ad: 'old',
              isActive: false,
              ranFrom: '2026-01-01',
              ranTo: '2026-01-31',
            },
          ],
        },
      },
      failed: 1,
    }),
    await history.run({
      day: '2026-03-03',
      observations: {
        [nike]: { completeness: 'truncated', changes: [{ kind: 'new', ad: 'c', ranFrom: '2026-03-02' }] },
        [puma]: { changes: [{ kind: 'baseline', reason: 'first_scan', ad: 'p', ranFrom: '2026-03-01' }] },
      },
    }),
    await history.run({
      day: '2026-03-05',
      observations: {
        [nike]: { missed: ['b'] },
        [puma]: {
          completeness: 'partial',
          changes: [{ kind: 'ended', reason: 'last_seen_long_ago', ad: 'p', ranTo: '2026-03-02' }],
        },
      },
    }),
    await history.run({
      day: '2026-03-06',
      observations: {
        [nike]: {
          changes: [
            { kind: 'ended', reason: 'not_seen', ad: 'b', ranTo: '2026-03-03', restsOn: [3, 4] },
            { kind: 'changed', ad: 'c', observation: 2, observationBefore: 1 },
          ],
        },
      },
    }),
    await history.addTickWithoutScan('2026-03-07', 'skipped', 'the scan before it still ran'),
    await history.run({
      day: '2026-03-09',
      observations: { [nike]: { changes: [{ kind: 'reactivated', ad: 'b', ranFrom: '2026-03-08' }] } },
    }),
  ];
}
