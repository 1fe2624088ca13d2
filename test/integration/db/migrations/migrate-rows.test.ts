import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { createVerifyStore } from '../../../../db/verify/verify-store.ts';
import { createEmptyDatabase } from '../../../support/db/database.ts';
import { withEarlierSchema } from '../../../support/db/earlier-schema.ts';
import { schemaFolder, withClient } from '../../../support/db/test-postgres.ts';

/**
 * A finished batch of 70 rows and a loading one of 40, with what is packed apart: lines that skip, several rows of a lookup, both
 * operations, rejected rows, warnings, and cells that contain separators or nothing.
 */
const record = `INSERT INTO nightshift.batches (public_id, account_id, file_name, state, identity, content_sha256, operations, header, column_map,
      sources, rows_total, rows_rejected, extra_cells, loaded_at)
    SELECT 'bat_' || n, 1, 'list.csv', CASE n WHEN 2 THEN 'loading' ELSE 'running' END, sha256(n::text::bytea), '\\x00',
      '{ads_search,email_validation}', '{domain,note}', '{}', '{sample}', 70, 5, 1, CASE n WHEN 1 THEN now() END FROM generate_series(1, 2) n;
  INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key)
    SELECT b * 1000 + n, 1, b, CASE WHEN n > 500 THEN 'email_validation' ELSE 'ads_search' END, 'd:' || b || '-' || n
    FROM generate_series(1, 2) b, generate_series(1, 600) n WHERE n <= 70 OR n > 500;
  INSERT INTO nightshift.batch_rows (batch_id, row_no, line_no, cells, ads_lookup_id, is_first, email_lookup_id, email_is_first, reject_reason, warning)
    SELECT b, n, n + 1 + n / 40, CASE n WHEN 3 THEN ARRAY[E'one\\x1ftwo', E'a\\x1eb'] WHEN 40 THEN ARRAY['']
        WHEN 69 THEN ARRAY['', 'say "hi" \\\\ {x}', E'tab\\tand\\nline'] ELSE ARRAY['d' || n || '.com', '', 'x'] END,
      CASE WHEN n % 16 = 5 THEN NULL WHEN n = 66 THEN b * 1000 + 1 ELSE b * 1000 + n END, n % 16 <> 5 AND n <> 66,
      CASE WHEN n > 64 AND n % 16 <> 5 THEN b * 1000 + 500 + n - n % 2 END, n > 64 AND n % 16 <> 5 AND n % 2 = 0,
      CASE WHEN n % 16 = 5 THEN 'no domain' END, CASE n WHEN 33 THEN 'odd' END
    FROM generate_series(1, 2) b, generate_series(1, 70) n WHERE b = 1 OR n <= 40`;

const rowsSql = `SELECT batch_id, row_no, line_no, cells, ads_lookup_id, is_first, email_lookup_id, email_is_first, reject_reason, warning
  FROM nightshift.batch_rows ORDER BY batch_id, row_no`;

test('a database with a stored row per row keeps every row, and an interrupted load its whole blocks', async () => {
  const url = await createEmptyDatabase();
  const before = await withEarlierSchema(url, '0007_row_blocks', async (client) => {
    await client.query(record);
    return (await client.query<{ batch_id: string; row_no: number }>(rowsSql)).rows;
  });
  expect(before).toHaveLength(110);
  await migrate(url, schemaFolder);
  await withClient(url, async (client) => {
    expect((await client.query(rowsSql)).rows).toEqual(
      before.filter(({ batch_id: batch, row_no: rowNo }) => batch === '1' || rowNo <= 32),
    );
    const blocks = `SELECT block_no, cells IS NULL AS is_array, cardinality(lines) AS lines, cardinality(ads_lookups) AS ads
      FROM nightshift.row_blocks WHERE batch_id = 1 ORDER BY block_no`;
    expect((await client.query(blocks)).rows).toEqual([
      { block_no: 0, is_array: true, lines: 1, ads: 32 },
      { block_no: 1, is_array: true, lines: 32, ads: 32 },
      { block_no: 2, is_array: false, lines: 1, ads: 6 },
    ]);
    // The rows 33 to 40 of the interrupted load are read again, with the lookups that they bring.
    const left =
      'SELECT count(*)::integer AS n FROM nightshift.all_lookups WHERE batch_id = 2 AND id BETWEEN 2033 AND 2040';
    expect((await client.query(left)).rows).toEqual([{ n: 1 }]);
    const reports = await createVerifyStore(drizzle(client)).check({ only: [1] });
    expect(reports.flatMap(({ broken }) => broken)).toEqual([]);
  });
});
