import { sql } from 'drizzle-orm';
import type { SourcePause } from '../../../src/core/sources/state/source-pause.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

interface PauseRow extends Record<string, unknown> {
  readonly source: string;
  readonly kind: SourcePause['kind'];
  readonly reason: string;
  readonly until: string;
  readonly pauses: number;
}

/** Lists one pause per source, the longest of its credentials. A pause that has passed lasts until its probe succeeds. */
export function listPauses(db: Sql): Promise<readonly SourcePause[]> {
  return withDatabase(async () => {
    const { rows } = await db.execute<PauseRow>(
      sql`SELECT DISTINCT ON (s.source) s.source, s.pause_kind AS kind, coalesce(s.pause_reason, '') AS reason,
          s.paused_until AS until, s.pauses
        FROM nightshift.source_states s WHERE s.pause_kind IS NOT NULL AND s.paused_until IS NOT NULL
        ORDER BY s.source, s.paused_until DESC`,
    );
    return rows.map(({ until, ...pause }) => ({ ...pause, until: new Date(until) }));
  });
}
