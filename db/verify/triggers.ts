import { sql, type SQL } from 'drizzle-orm';
import type { Clause } from './clause.ts';

/** A trigger that must exist as installed, and fire in every replication role (`ENABLE ALWAYS`). */
interface Guard {
  readonly table: string;
  readonly trigger: string;
  /** As Postgres prints it when the search path contains no schema of ours. */
  readonly definition: string;
}

/** Tables without updates and deletes by any role, except for what a purge has marked (docs/guides/retention.md). */
export function appendOnly(tables: readonly string[]): Clause {
  return guarded(tables.flatMap((table) => [rejectsChange(table), rejectsTruncate(table)]));
}

/** Timelines of batches: past entries do not change. */
export function timelinesStay(): Clause {
  const trigger = 'append_only';
  const definition =
    'CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON nightshift.batch_events FOR EACH ROW ' +
    'EXECUTE FUNCTION nightshift.reject_batch_event_change()';
  return guarded([{ table: 'batch_events', trigger, definition }, rejectsTruncate('batch_events')]);
}

/** The ledger, which has each movement of a lookup once. */
export function movementsAreUnique(): Clause {
  const trigger = 'once';
  const definition =
    'CREATE TRIGGER once BEFORE INSERT ON nightshift.ledger_blocks FOR EACH ROW ' +
    'WHEN ((new.phase IS NOT NULL)) EXECUTE FUNCTION nightshift.reject_second_movement()';
  return guarded([{ table: 'ledger_blocks', trigger, definition }]);
}

/** Outcomes that never change. */
export function outcomeIsFinal(): Clause {
  const trigger = 'outcome_is_final';
  const definition =
    'CREATE TRIGGER outcome_is_final BEFORE UPDATE ON nightshift.lookups FOR EACH ROW ' +
    'WHEN (((old.outcome IS NOT NULL) AND (NOT nightshift.is_erasing(old.*, new.*)))) ' +
    'EXECUTE FUNCTION nightshift.reject_second_outcome()';
  return guarded([{ table: 'lookups', trigger, definition }]);
}

function rejectsChange(table: string): Guard {
  const definition =
    `CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON nightshift.${table} FOR EACH ROW ` +
    'EXECUTE FUNCTION nightshift.reject_change()';
  return { table, trigger: 'append_only', definition };
}

function rejectsTruncate(table: string): Guard {
  const definition =
    `CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON nightshift.${table} FOR EACH STATEMENT ` +
    'EXECUTE FUNCTION nightshift.reject_change()';
  return { table, trigger: 'append_only_truncate', definition };
}

function guarded(guards: readonly Guard[]): Clause {
  const expected = sql`(VALUES ${sql.join(guards.map(row), sql`, `)}) AS g(table_name, trigger_name, definition)`;
  return {
    checked: sql`SELECT count(*) AS n FROM ${expected}`,
    broken: sql`SELECT format('trigger %s of table %s is %s', g.trigger_name, g.table_name, CASE
          WHEN t.oid IS NULL THEN 'missing'
          WHEN pg_get_triggerdef(t.oid) <> g.definition THEN 'not the one that was installed'
          WHEN t.tgenabled = 'D' THEN 'disabled'
          ELSE 'not enabled in every replication role' END) AS finding
      FROM ${expected}
      LEFT JOIN pg_trigger t ON t.tgrelid = to_regclass('nightshift.' || g.table_name) AND t.tgname = g.trigger_name
      WHERE t.oid IS NULL OR t.tgenabled <> 'A' OR pg_get_triggerdef(t.oid) <> g.definition`,
  };
}

function row({ table, trigger, definition }: Guard): SQL {
  return sql`(${table}::text, ${trigger}::text, ${definition}::text)`;
}
