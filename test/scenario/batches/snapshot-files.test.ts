import { describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { avroFile, exportRows, ndjsonFile } from '../../support/sources/snapshot/snapshot-exports.ts';
import { parquetByDuckDb } from '../../support/sources/snapshot/snapshot-parquet.ts';

const cli = useTestCli({ inProcess: true, sample: false });
const rows = exportRows(90);

describe('snapshot load', () => {
  test('expands a quoted pattern, and loads files of several formats at once', async () => {
    cli().write('export-000000000000.json', ndjsonFile(rows.slice(0, 30)));
    cli().write('export-000000000001.avro', await avroFile(rows.slice(30, 60), 'snappy', 'date'));
    cli().write('export-000000000002.parquet', await parquetByDuckDb(rows.slice(60), 'COMPRESSION snappy'));
    expect(await cli().ask(['snapshot', 'load', 'export-*'])).toMatchObject({
      rows: 90,
      ads: 90,
      ads_new: 90,
    });
    expect(await cli().ask(['snapshot', 'load', 'export-*2.parquet'])).toMatchObject({
      rows: 30,
      ads_new: 0,
    });
  });

  test('stops with a message if no file matches', async () => {
    const { exitCode, stderr } = await cli().run(['snapshot', 'load', 'nothing-*.parquet']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('No file matches "nothing-*.parquet".');
  });
});
