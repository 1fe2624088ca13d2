import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestCli } from '../support/cli/test-cli.ts';
import { checkLanded, type ReadManifest } from '../support/destinations/landed-files.ts';
import {
  enginesUnavailableReason,
  queryClickHouse,
  queryTexts,
  type QueriedRow,
} from '../support/destinations/query-engines.ts';

const cli = useTestCli();
const unavailableReason = enginesUnavailableReason();
const shapes = ['rows', 'ads', 'variants'] as const;

let batches: readonly string[];
let root: string;
beforeAll(async () => {
  cli().write('other.csv', 'website,note,"weird ""name"""\nnike.com,"a,b",1\nspotify.com,,\n,none,Größe\n');
  root = join(cli().folder, 'lake');
  mkdirSync(root);
  await cli().ask(['destination', 'add', 'lake', root, '--shape', shapes.join(',')]);
  const ids: string[] = [];
  for (const file of ['other.csv', join(import.meta.dirname, '../../examples/companies.csv')]) {
    const args = ['enrich', file, '--source', 'sample', '-o', `out-${ids.length}.csv`];
    ids.push(((await cli().ask(args)) as { readonly id: string }).id);
  }
  batches = ids;
});

describe.skipIf(unavailableReason !== null).each(shapes)(
  `landing of %s${unavailableReason === null ? '' : ` (not run: ${unavailableReason})`}`,
  (shape) => {
    test('has in DuckDB the rows of its export, with day and batch as columns', async () => {
      for (const batch of batches) {
        const files = `${root}/${shape}/**/*.parquet`;
        const rows = queryTexts(
          `SELECT ${columnsOf(shape, batch).join(', ')} FROM read_parquet('${files}', hive_partitioning = true, union_by_name = true)
         WHERE batch = '${batch}'`,
        );
        expect(sorted(rows)).toEqual(sorted(await exportedRows(shape, batch)));
      }
      const [days] = queryTexts(
        `SELECT count(DISTINCT batch) AS batches, min(day) AS day FROM read_parquet('${root}/${shape}/**/*.parquet', hive_partitioning = true, union_by_name = true)`,
      );
      expect(days).toEqual({ batches: '2', day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string });
    });

    test('has in ClickHouse the rows of its export', async () => {
      for (const batch of batches) {
        const files = `${root}/${shape}/*/batch=${batch}/*.parquet`;
        const columns = columnsOf(shape, batch).map((column) => `toString(${column}) AS ${column}`);
        const rows = queryClickHouse(`SELECT ${columns.join(', ')} FROM file('${files}', Parquet)`);
        expect(sorted(rows)).toEqual(sorted(await exportedRows(shape, batch)));
      }
      const counted =
        queryClickHouse(`SELECT toString(uniqExact(batch)) AS batches FROM file('${root}/${shape}/*/*/*.parquet', Parquet)
         SETTINGS use_hive_partitioning = 1`);
      expect(counted).toEqual([{ batches: '2' }]);
    });
  },
);

function manifestOf(shape: string, batch: string): ReadManifest {
  const found = checkLanded(root).find(
    (manifest) => manifest.batch === batch && manifest.content_key.includes(` ${shape} `),
  );
  if (found === undefined) throw new Error(`${batch} has no manifest of ${shape}`);
  return found;
}

function columnsOf(shape: string, batch: string): readonly string[] {
  return manifestOf(shape, batch).columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
}

/** Rows of the export as NDJSON, with every value as the engines write it as text. */
async function exportedRows(shape: string, batch: string): Promise<readonly QueriedRow[]> {
  const name = `${batch}-${shape}.ndjson`;
  await cli().call(['export', batch, '-o', name, '--shape', shape]);
  const { columns } = manifestOf(shape, batch);
  const lines = readFileSync(join(cli().folder, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const row = JSON.parse(line) as Readonly<Record<string, string | number | boolean | null>>;
    return Object.fromEntries(
      columns.map(({ name: column, kind }) => {
        const value = row[column] ?? null;
        return [column, value === null || kind === 'text' ? value : String(value)];
      }),
    );
  });
}

/** Rows of a part are in order, but an engine may read parts in any order. Decimals lose their zeros. */
function sorted(rows: readonly QueriedRow[]): readonly string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            /_(?:credits_consumed|confidence)$/.test(name) && value !== null ? String(Number(value)) : value,
          ]),
        ),
      ),
    )
    .sort();
}
