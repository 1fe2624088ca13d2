import * as tables from '../../../db/schema/index.ts';
import type { AdLifetime } from './ad-lives.ts';
import { dayOf, momentOf, runs, type HistoryTarget, type StoredAd, type StoredScan } from './scan-runs.ts';

interface Change {
  readonly run: number;
  readonly kind: string;
  readonly reason: string | null;
  readonly versionId: bigint;
  readonly versionBefore: bigint | null;
  readonly isActive: boolean;
  /** Number of scans behind it. */
  readonly scans: number;
}

/** Stores the changes of the ads, and the state of each after the last scan. Returns the number of reported changes. */
export async function storeChanges(
  { db, accountId, scheduleId, companies }: HistoryTarget,
  {
    lives,
    ads,
    scans,
  }: {
    readonly lives: readonly AdLifetime[];
    readonly ads: readonly StoredAd[];
    readonly scans: readonly StoredScan[];
  },
): Promise<{ readonly baseline: number; readonly news: number }> {
  // A change in a run without a scan appears in the next scan.
  const scanOf = (run: number) =>
    scans.find((scan) => scan.run >= run && scan.batch !== null) ?? scans[runs - 1];
  const aboutOf = ({ company }: AdLifetime, i: number) => ({
    scheduleId,
    companyKey: companies[company]?.key ?? '',
    adId: ads[i]?.adId ?? 0n,
  });
  const changes = lives.flatMap((life, i) =>
    changesOf(life, ads[i]?.versions ?? []).map(({ run, scans: count, ...change }) => {
      const scan = scanOf(run);
      const scanId = scan?.id ?? 0n;
      const restsOn = Array.from({ length: count }, (_, k) => scanId - BigInt(count - 1 - k));
      const observedAt = momentOf(scan?.run ?? 0, 3);
      return { ...aboutOf(life, i), ...change, accountId, scanId, restsOn, observedAt };
    }),
  );
  await db.insert(tables.adChanges).values(changes);
  await db.insert(tables.trackedAdRows).values(
    lives.map((life, i) => ({
      ...aboutOf(life, i),
      isActive: life.ends === null,
      firstScanId: scanOf(life.begins)?.id ?? 0n,
      lastScanId: scanOf((life.ends ?? runs) - 1)?.id ?? 0n,
      versionId: ads[i]?.versions.at(-1) ?? 0n,
      source: 'transparency',
      contentHash: Buffer.from(String(i)),
      day: dayOf((life.ends ?? runs) - 1),
      start: dayOf(life.begins === 0 ? -3 * life.no : life.begins),
      lastSeen: dayOf((life.ends ?? runs) - 1),
    })),
  );
  const baseline = changes.filter(({ kind }) => kind === 'baseline').length;
  return { baseline, news: changes.length - baseline };
}

function changesOf(life: AdLifetime, [first = 0n, second = first]: readonly bigint[]): readonly Change[] {
  const seen = { reason: null, versionId: first, versionBefore: null, isActive: true, scans: 1 };
  const begun = life.isBack ? 'reactivated' : 'new';
  return [
    life.begins === 0
      ? { ...seen, run: 0, kind: 'baseline', reason: 'first_scan' }
      : { ...seen, run: life.begins, kind: begun },
    ...(life.changes === null
      ? []
      : [{ ...seen, run: life.changes, kind: 'changed', versionId: second, versionBefore: first }]),
    ...(life.ends === null
      ? []
      : [
          {
            ...seen,
            run: life.ends,
            kind: 'ended',
            reason: 'not_seen',
            versionId: second,
            isActive: false,
            scans: 2,
          },
        ]),
  ];
}
