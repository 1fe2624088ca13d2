/** Columns of the view in the order of the function's parameters. */
const packing = `
  CREATE FUNCTION pg_temp.pack_rows(p_batch bigint, p_block integer, p_rows nightshift.batch_rows[]) RETURNS void LANGUAGE plpgsql AS $pack$
  BEGIN
    DELETE FROM nightshift.row_blocks WHERE batch_id = p_batch AND block_no = p_block;
    INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, array_cells, ads_lookups, ads_repeats, email_lookups, email_repeats,
      reject_reasons, warnings)
    SELECT p_batch, p_block, count(*), array_agg(line_no ORDER BY row_no), array_agg(cells::text ORDER BY row_no),
      CASE WHEN count(ads_lookup_id) > 0 THEN array_agg(ads_lookup_id ORDER BY row_no) END,
      nullif(bit_or(CASE WHEN ads_lookup_id IS NOT NULL AND NOT is_first THEN 1 << ((row_no - 1) % 32) ELSE 0 END), 0),
      CASE WHEN count(email_lookup_id) > 0 THEN array_agg(email_lookup_id ORDER BY row_no) END,
      nullif(bit_or(CASE WHEN email_lookup_id IS NOT NULL AND NOT email_is_first THEN 1 << ((row_no - 1) % 32) ELSE 0 END), 0),
      CASE WHEN count(reject_reason) > 0 THEN array_agg(reject_reason ORDER BY row_no) END,
      CASE WHEN count(warning) > 0 THEN array_agg(warning ORDER BY row_no) END
    FROM unnest(p_rows) HAVING count(*) > 0;
  END $pack$;
  CREATE FUNCTION pg_temp.edit_row() RETURNS trigger LANGUAGE plpgsql AS $edit$
  DECLARE
    v_batch bigint := coalesce(NEW.batch_id, OLD.batch_id);
    v_block integer := (coalesce(NEW.row_no, OLD.row_no) - 1) / 32;
  BEGIN
    PERFORM pg_temp.pack_rows(v_batch, v_block, ARRAY(
      SELECT r FROM nightshift.batch_rows r WHERE r.batch_id = v_batch AND r.block_no = v_block AND r.row_no IS DISTINCT FROM OLD.row_no
    ) || CASE WHEN NEW IS NULL AND TG_OP = 'DELETE' THEN '{}' ELSE ARRAY[NEW] END);
    RETURN coalesce(NEW, OLD);
  END $edit$;`;

/**
 * Makes a statement that inserts, updates or deletes rows through the view `batch_rows`, which nothing but tests does: the block of each row
 * is packed again. Rows have no gaps, so the rows after a deleted one move up. For the owner, in a transaction or as several statements.
 */
export function editRows(statement: string): string {
  return `${packing}
    CREATE TRIGGER edit_row INSTEAD OF INSERT OR UPDATE OR DELETE ON nightshift.batch_rows FOR EACH ROW EXECUTE FUNCTION pg_temp.edit_row();
    ${statement};
    DROP TRIGGER edit_row ON nightshift.batch_rows;
    DROP FUNCTION pg_temp.edit_row();
    DROP FUNCTION pg_temp.pack_rows(bigint, integer, nightshift.batch_rows[]);`;
}
