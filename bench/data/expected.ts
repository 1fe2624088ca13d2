import { listRows, type ListOptions } from './company-list.ts';
import type { Fixture } from './fixture.ts';

/** Expected totals of a run. */
export interface Expected {
  readonly rows: number;
  readonly rejected: number;
  readonly lookups: number;
  readonly found: number;
  /** Links from lookups to ads. */
  readonly links: number;
  /** Lines of the export with one line per ad. */
  readonly adLines: number;
}

/** Computes the expected totals from the data alone. */
export function expectedOf(list: ListOptions, { adsOf }: Fixture): Expected {
  const { companies, names, firstCompany = 0 } = list;
  const lookups = Int32Array.from({ length: companies }, (_, i) => adsOf[(firstCompany + i) % names] ?? 0);
  let [rows, rejected, adLines] = [0, 0, 0];
  for (const { company } of listRows(list)) {
    rows += 1;
    rejected += company === -1 ? 1 : 0;
    adLines += Math.max(1, lookups[company] ?? 0);
  }
  return {
    rows,
    rejected,
    lookups: lookups.length,
    found: lookups.filter((ads) => ads > 0).length,
    links: lookups.reduce((sum, ads) => sum + ads, 0),
    adLines,
  };
}
