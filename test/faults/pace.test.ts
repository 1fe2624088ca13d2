import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eachBackend } from '../support/backends.ts';
import { companiesOf, listCompanies } from '../support/listed-companies.ts';
import {
  askedIn,
  expectAccountsSquare,
  exportEveryRow,
  firstRows,
  truthAbout,
} from '../support/night-report.ts';
import { openOvernight, temporaryFolder } from '../support/overnight.ts';
import { takeSeed } from '../support/seed.ts';
import { worstSlidingSecond, type StandInCall } from '../support/source-stand-in.ts';
import { spawnSourceStandIn } from '../support/spawn-source-stand-in.ts';

const requestsPerSecond = 50;
const burst = 5;
const workers = 4;
/** Of what the source allows from the first call to the last: less would be a night wasted. */
const shareUsedMin = 0.7;

eachBackend(({ kind, open }) => {
  test('four workers together never ask more often than the source allows, and not much less', async () => {
    const standIn = await spawnSourceStandIn({
      logFile: join(temporaryFolder(), 'calls.ndjson'),
      latencyMs: { min: 20, max: 200 },
      rateLimit: { requestsPerSecond, burst },
    });
    onTestFinished(standIn.close);
    const rows = listCompanies(1_700, takeSeed());
    const night = await openOvernight(await open(), {
      source: standIn,
      rows,
      settings: {
        NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: String(requestsPerSecond),
        NIGHTSHIFT_UPSTREAM_BURST: String(burst),
        NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
      },
    });
    for (let started = 0; started < workers; started++) night.startWorker();
    await night.untilFinished(120_000);

    const log = standIn.readLog();
    const [worst, share] = [worstSlidingSecond(log), shareUsed(log)];
    process.stderr.write(
      `Pace, queue on ${kind}: ${log.length} calls, at most ${worst} in a second, ${Math.round(share * 100)} % of the rate used\n`,
    );
    expect(worst).toBeLessThanOrEqual(requestsPerSecond + burst);
    expect(log.filter(({ status }) => status === 429)).toEqual([]);
    expect(share).toBeGreaterThan(shareUsedMin);

    const companies = companiesOf(rows);
    expect(log.map(askedIn).sort()).toEqual([...companies].sort());
    const answers = firstRows(night, await exportEveryRow(night));
    for (const [company, { ads_outcome }] of answers) expect(ads_outcome).toBe(truthAbout(company).outcome);
    await expectAccountsSquare(night, companies.filter((company) => truthAbout(company).ads > 0).length);
  });
});

/** Calls made, of those that the rate allows from the first to the last. */
function shareUsed(log: readonly StandInCall[]): number {
  const spanMs = (log.at(-1)?.at ?? 0) - (log[0]?.at ?? 0);
  return (log.length - 1) / ((spanMs / 1000) * requestsPerSecond);
}
