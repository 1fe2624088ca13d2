import * as tables from '../../../db/schema/index.ts';
import type { AdLife } from './ad-lives.ts';
import { dayOf, isFailed, momentOf, runsOn, type Desk, type StoredScan } from './scan-runs.ts';

/** Stores what every scan said about every company, and what is known of those after the last one. */
export async function storeLooks(
  { db, scheduleId, companies }: Desk,
  lives: readonly AdLife[],
  scans: readonly StoredScan[],
): Promise<void> {
  const looks = scans.flatMap(({ id: scanId, night, lookups }) =>
    companies.flatMap(({ key: companyKey }, i) => {
      const lookupId = lookups[i];
      if (lookupId === undefined || isFailed(night, i)) return [];
      return [
        {
          scanId,
          companyKey,
          scheduleId,
          lookupId,
          completeness: i === 2 && night % 9 === 4 ? 'truncated' : 'complete',
          isBaseline: night === 0,
          source: 'transparency',
          observedAt: momentOf(night, 3),
          day: dayOf(night),
          adsActive: lives.filter((life) => life.company === i && runsOn(life, night)).length,
        },
      ];
    }),
  );
  await db.insert(tables.scanCompanies).values(looks);
  await db.insert(tables.trackedCompanies).values(
    companies.flatMap(({ key }) => {
      const last = looks.findLast(({ companyKey }) => companyKey === key);
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
          firmDay: last.day,
          firmCompleteness: last.completeness,
          firmSources: ['transparency'],
        },
      ];
    }),
  );
}
