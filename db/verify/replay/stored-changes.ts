import { sql } from 'drizzle-orm';
import type { AdChange } from '../../../src/core/changes/ad-change.ts';
import type { TrackedState } from '../../../src/core/changes/tracked-ad.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../../stores/sql/arrays.ts';

type ByScan = ReadonlyMap<string, readonly AdChange[]>;

interface ChangeRow extends Record<string, unknown> {
  readonly scan_id: string;
  readonly company_key: string;
  readonly ad_id: string;
  readonly kind: AdChange['kind'];
  readonly reason: AdChange['reason'];
  readonly version_id: string;
  readonly version_before: string | null;
  readonly is_active: boolean;
  readonly ran_from: string | null;
  readonly ran_to: string | null;
  readonly rests_on: readonly string[];
}

/** The stored changes of these companies, by company and scan. */
export async function readStoredChanges(
  db: Sql,
  scheduleId: number,
  companies: readonly string[],
): Promise<ReadonlyMap<string, ByScan>> {
  const { rows } = await db.execute<ChangeRow>(
    sql`SELECT scan_id, company_key, ad_id, kind, reason, version_id, version_before, is_active, ran_from::text AS ran_from,
        ran_to::text AS ran_to, to_jsonb(rests_on::text[]) AS rests_on
      FROM nightshift.ad_changes WHERE schedule_id = ${scheduleId} AND company_key = ANY (${texts(companies)})`,
  );
  const byCompany = new Map<string, Map<string, AdChange[]>>();
  for (const row of rows) {
    const byScan = byCompany.get(row.company_key) ?? new Map<string, AdChange[]>();
    byScan.set(row.scan_id, [...(byScan.get(row.scan_id) ?? []), toChange(row)]);
    byCompany.set(row.company_key, byScan);
  }
  return byCompany;
}

function toChange(row: ChangeRow): AdChange {
  return {
    adId: BigInt(row.ad_id),
    kind: row.kind,
    reason: row.reason,
    versionId: BigInt(row.version_id),
    versionBefore: row.version_before === null ? null : BigInt(row.version_before),
    isActive: row.is_active,
    ranFrom: row.ran_from,
    ranTo: row.ran_to,
    restsOn: row.rests_on.map(BigInt),
  };
}

/** The changes of one scan, each as a text that is equal for equal changes. */
export function storedChangesOf(changes: ByScan, scanId: string): readonly string[] {
  return (changes.get(scanId) ?? []).map(changeText);
}

/** All fields of a change, on one line. */
export function changeText(change: AdChange): string {
  const { adId, kind, reason, versionId, versionBefore, isActive, ranFrom, ranTo, restsOn } = change;
  const details = [
    `version ${versionId}`,
    ...(versionBefore === null ? [] : [`before ${versionBefore}`]),
    ...(ranFrom === null ? [] : [`from ${ranFrom}`]),
    ...(ranTo === null ? [] : [`to ${ranTo}`]),
    isActive ? 'runs' : 'does not run',
    `by ${restsOn.join(' ')}`,
  ];
  return `ad ${adId} ${kind}${reason === null ? '' : ` ${reason}`} (${details.join(', ')})`;
}

/** The whole state of a company, on one line; ads in the order of their ids. */
export function stateText(state: TrackedState | null): string {
  if (state === null) return 'nothing';
  const ads = [...state.ads.values()].sort((a, b) => (a.adId < b.adId ? -1 : 1));
  return JSON.stringify([inOrder(state.company), ads.map(inOrder)], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** Its entries by name: equal objects may have been built in different orders. */
function inOrder(thing: object): readonly (readonly [string, unknown])[] {
  return Object.entries(thing).sort(([a], [b]) => (a < b ? -1 : 1));
}
