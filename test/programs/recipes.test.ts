import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTestCli } from '../support/cli/test-cli.ts';
import { queryTexts } from '../support/destinations/query-engines.ts';
import { codeBlocksOf } from '../support/docs/markdown.ts';

const cli = useTestCli();

test('the recipe for DuckDB counts the outcomes and credits of an export in Parquet', async () => {
  cli().write('companies.csv', 'company,website\nNike,nike.com\nNobody,no-ads.example\nn/a,\n');
  await cli().ask(['enrich', 'companies.csv', '--source', 'sample', '-o', 'enriched.parquet']);
  const [query = '', ...others] = codeBlocksOf('docs/guides/recipes.md')
    .map(({ text }) => text)
    .filter((text) => text.includes("from 'enriched.parquet'"));
  expect(others).toEqual([]);
  const path = join(cli().folder, 'enriched.parquet');
  const rows = queryTexts(query.trim().replace(/;$/, '').replace('enriched.parquet', path));
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(
    expect.arrayContaining([
      { ads_outcome: 'found', lines: '1', credits: '0.200000' },
      { ads_outcome: 'no_match', lines: '1', credits: '0.000000' },
      { ads_outcome: 'rejected', lines: '1', credits: '0.000000' },
    ]),
  );
});
