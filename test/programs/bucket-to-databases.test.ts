import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { openTestCli, type TestCli } from '../support/cli/test-cli.ts';
import { codeBlocksOf } from '../support/docs/markdown.ts';
import {
  enginesUnavailableReason,
  queryClickHouse,
  queryDuckDb,
  type QueriedRow,
} from '../support/destinations/query-engines.ts';
import { plainCommands } from '../support/docs/plain-commands.ts';
import { createBucket, getObject, listKeys, putObject } from '../support/storage/swift-bucket.ts';
import {
  openSwiftServer,
  swiftUnavailableReason,
  type SwiftServer,
} from '../support/storage/swift-server.ts';

const unavailableReason = swiftUnavailableReason() ?? enginesUnavailableReason();

const guide = codeBlocksOf('docs/guides/inboxes.md');
const walk = guide.find(({ text }) => text.includes('s3://acme-lists'))?.text ?? '';

const [lists, results] = ['acme-lists', 'acme-results'];

describe.skipIf(unavailableReason !== null)(
  `from a bucket to databases${unavailableReason === null ? '' : ` (not run: ${unavailableReason})`}`,
  () => {
    let swift: SwiftServer;
    let cli: TestCli;
    let keys: readonly string[] = [];

    beforeAll(async () => {
      swift = await openSwiftServer();
      for (const bucket of [lists, results]) await createBucket(swift, bucket);
      cli = openTestCli({
        AWS_ACCESS_KEY_ID: swift.key.accessKeyId,
        AWS_SECRET_ACCESS_KEY: swift.key.secretAccessKey,
        NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1',
      });
      // Postgres runs as another user.
      chmodSync(cli.folder, 0o755);
    });

    afterAll(async () => {
      await swift?.close();
      await nightshift('stop', '--force');
      await cli.close();
    });

    async function nightshift(...args: readonly string[]): Promise<string> {
      const { exitCode, stdout, stderr } = await cli.run(args);
      expect(exitCode, stderr).toBe(0);
      return stdout;
    }

    test('two lists in a bucket become Parquet in another, by the commands of the guide', async () => {
      await putObject(
        swift,
        `${lists}/in/companies.csv`,
        readFileSync(join(packageRoot, 'examples/companies.csv')),
      );
      await putObject(
        swift,
        `${lists}/in/more.csv`,
        Buffer.from('Website,Owner,Score\nnike.com,Ann,7\nadidas.com,Bob,8\n'),
      );
      const typed = walk.split('\n').filter((line) => /^npx nightshift (inbox|destination)/.test(line));
      expect(typed).toHaveLength(2);
      for (const args of plainCommands(typed.join('\n')) ?? []) {
        const place = ['--endpoint', swift.url];
        const typedHere = args.map((each) => (each === 'eu-central-1' ? swift.key.region : each));
        await nightshift(...typedHere, ...place);
      }
      const up = cli.start(['up']);
      try {
        await expect
          .poll(
            async () => (await listKeys(swift, results)).filter((key) => key.endsWith('_manifest.json')),
            {
              timeout: 90_000,
              interval: 500,
            },
          )
          .toHaveLength(4);
      } finally {
        await up.stop();
      }
      keys = await listKeys(swift, results);
      for (const key of keys) {
        const path = join(cli.folder, 'landed', key);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, await getObject(swift, `${results}/${key}`));
      }
    });

    test('DuckDB reads what landed, with the query of the guide and row by row', async () => {
      const place = join(cli.folder, 'landed');
      const summary = queryDuckDb(blockOf('sql-duckdb').replace(`s3://${results}`, place));
      expect(numbers(summary)).toEqual(await expectedSummary());
      for (const shape of ['rows', 'ads']) {
        const files = `read_parquet('${place}/nightshift/${shape}/**/*.parquet', union_by_name = true)`;
        expect(numbers(queryDuckDb(`SELECT ${columns} FROM ${files} ORDER BY ALL`))).toEqual(
          await expectedRows(shape, (path) => `read_parquet('${path}')`),
        );
      }
    });

    test('ClickHouse reads the same rows out of the bucket', async () => {
      const text = blockOf('sql-clickhouse')
        .replace(`https://${results}.s3.eu-central-1.amazonaws.com`, `${swift.url}/${results}`)
        .replace("'access key', 'secret key'", `'${swift.key.accessKeyId}', '${swift.key.secretAccessKey}'`);
      expect(numbers(queryClickHouse(text))).toEqual(await expectedSummary());
    });

    /** Summary of the export on this machine. */
    async function expectedSummary() {
      const batches = JSON.parse(await nightshift('sql', '--format', 'json', batchesQuery)) as QueriedRow[];
      return numbers(batches);
    }

    /** Rows of the local exports of all batches, read by DuckDB. */
    async function expectedRows(shape: string, read: (path: string) => string) {
      const ids = [...new Set(keys.map((key) => /batch=(bat_\w+)/.exec(key)?.[1] ?? ''))];
      const paths = ids.map((id) => join(cli.folder, `${id}-${shape}.parquet`));
      for (const [index, id] of ids.entries())
        await nightshift('export', id, '--shape', shape, '--output', paths[index] ?? '');
      const union = paths.map((path) => `SELECT ${columns} FROM ${read(path)}`).join(' UNION ALL ');
      return numbers(queryDuckDb(`${union} ORDER BY ALL`));
    }

    function blockOf(language: string): string {
      return guide.find((block) => block.language === language)?.text ?? '';
    }
  },
);

/** Columns that every batch has. */
const columns = 'ads_outcome, ads_reason, ads_count, ads_credits_consumed, input_line';

const batchesQuery = `SELECT batch, count(*) AS companies, sum(ads_count) AS ads FROM reports.rows GROUP BY batch ORDER BY batch`;

/** Large numbers are texts in the JSON of both databases. */
function numbers(rows: readonly QueriedRow[]): readonly QueriedRow[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
      ]),
    ),
  );
}
