import { expect, test } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { createEmptyDatabase } from '../../../support/db/database.ts';
import { withEarlierSchema } from '../../../support/db/earlier-schema.ts';
import { schemaFolder, withClient } from '../../../support/db/test-postgres.ts';

const [nike, retail] = ['AR00000000000000000001', 'AR00000000000000000002'];

test('a database without platforms keeps its mapping, with a platform before each id, and its ads unchanged', async () => {
  const url = await createEmptyDatabase();
  await withEarlierSchema(url, '0013_platform_ids', (client) =>
    client.query(
      `INSERT INTO nightshift.company_advertisers (account_id, company_key, advertiser_id, role, note) VALUES
        (1, 'd:nike.com', '${nike}', 'allow', 'asked'), (1, 'd:nike.com', '153080620724', 'allow', NULL),
        (1, 'd:nike.com', 'ar1', 'deny', NULL), (2, 'd:nike.com', '${nike}', 'agency', '');
      INSERT INTO nightshift.ads (advertiser_id, creative_id) VALUES ('${retail}', 'CR1')`,
    ),
  );
  const { applied } = await migrate(url, schemaFolder);
  expect(applied).toContain('0013_platform_ids');
  await withClient(url, async (client) => {
    const mapping = await client.query({
      text: `SELECT account_id::integer, advertiser_id, role, note FROM nightshift.company_advertisers ORDER BY account_id, advertiser_id COLLATE "C"`,
      rowMode: 'array',
    });
    expect(mapping.rows).toEqual([
      [1, `google:${nike}`, 'allow', 'asked'],
      [1, 'other:153080620724', 'allow', null],
      [1, 'other:ar1', 'deny', null],
      [2, `google:${nike}`, 'agency', ''],
    ]);
    const ads = await client.query({ text: 'SELECT advertiser_id FROM nightshift.ads', rowMode: 'array' });
    expect(ads.rows).toEqual([[retail]]);
    const columns = await client.query({
      text: `SELECT table_name::text FROM information_schema.columns
        WHERE table_schema = 'reports' AND column_name = 'platform' ORDER BY 1`,
      rowMode: 'array',
    });
    expect(columns.rows).toEqual([['ads'], ['ads_changes'], ['ads_current']]);
    const asOf = await client.query(`SELECT platform FROM reports.ads_as_of('2026-01-01')`);
    expect(asOf.rows).toEqual([]);
  });
});
