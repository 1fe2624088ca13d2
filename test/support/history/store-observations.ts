import * as tables from '../../../db/schema/index.ts';
import type { AdLifetime } from './ad-lives.ts';
import { dayOf, isFailed, momentOf, runsOn, type HistoryTarget, type StoredScan } from './scan-runs.ts';

/** Stores the observations of every scan for every company, and the state after the last scan. */
export async function storeObservations(
  { db, scheduleId, companies }: HistoryTarget,
  lives: readonly AdLifetime[],
  scans: readonly StoredScan[],
): Promise<void> {
  const observations = scans.flatMap(({ id: scanId, run, lookups }) =>
    companies.flatMap(({ key: companyKey }, i): (typeof tables.scanCompanies.$inferInsert)[] => {
      const lookupId = lookups[i];
      if (lookupId === undefined || isFailed(run, i)) return [];
      return [
        {
          scanId,
          companyKey,
          scheduleId,
          lookupId,
          completeness: i === 2 && run % 9 === 4 ? 'truncated' : 'complete',
          isBaseline: run === 0,
          source: 'transparency',
          observedAt: momentOf(run, 3),
          day: dayOf(run),
          adsActive: lives.filter((life) => life.company === i && runsOn(life, run)).length,
        },
      ];
    }),
  );
  await db.insert(tables.scanCompanies).values(observations);
  await db.insert(tables.trackedCompanies).values(
    companies.flatMap(({ key }) => {
      const last = observations.findLast(({ companyKey }) => companyKey === key);
      if (last === undefined) return [];
      return [
        {
          scheduleId,
          companyKey: key,
          baselineScanId: scans[0]?.id ?? 0n,
          lastScanId: last.scanId,
          lastObservedAt: last.observedAt,
          lastDay: last.day,
          lastOutcome: 'found',
          lastSources: ['transparency'],
          conclusiveDay: last.day,
          conclusiveCompleteness: last.completeness,
          conclusiveSources: ['transparency'],
        },
      ];
    }),
  );
}
