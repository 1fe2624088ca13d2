import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { openS3StandIn } from '../../support/storage/s3-stand-in.ts';
import { checkLanded, readLanded } from '../../support/destinations/landed-files.ts';
import { readParquet } from '../../support/reports/read-parquet.ts';
import { testFolder } from '../../support/storage/local-files.ts';

const settings = { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' };
const cli = useTestCli({ settings, inProcess: true });
/** Account without batches. */
const calling = useTestCli({ inProcess: true });

async function enrich(file: string, list: string, run = cli().run): Promise<string> {
  cli().write(file, list);
  const { stdout } = await run(['enrich', file, '--source', 'sample', '-o', `${file}-out.csv`, '--json']);
  return (JSON.parse(stdout) as { readonly id: string }).id;
}

describe('enrich with a destination', () => {
  test('lands its results before the command ends, and the status shows them', async () => {
    const folder = testFolder();
    await cli().ask(['destination', 'add', 'lake', folder, '--shape', 'rows,ads']);
    const batch = await enrich('list.csv', 'company,website\nNike,nike.com\nn/a,\n', cli().runApart);
    expect(checkLanded(folder).map(({ rows }) => rows)).toEqual([expect.any(Number) as number, 2]);
    expect(await cli().ask(['destination', 'landings', 'lake'])).toMatchObject([
      { batch, shape: 'ads', state: 'landed', attempts: 1 },
      { batch, shape: 'rows', state: 'landed', rows: 2 },
    ]);
    const status = (await cli().call(['status', batch])).stdout;
    expect(status).toContain('Landing    rows in lake: landed, 2 lines');
    expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
    await cli().ask(['destination', 'remove', 'lake']);
  });

  test('lands the same rows as its export', async () => {
    const folder = testFolder();
    await cli().ask(['destination', 'add', 'lake', folder]);
    await cli().ask(['destination', 'add', 'copies', folder, '--format', 'csv']);
    const list = 'company,website,note\nNike,nike.com,"=1+1, ""x"""\nGrößer,spotify.com,\n,,\n';
    const batch = await enrich('same.csv', list);
    const files = readLanded(folder);
    const csv = [...files].find(([path]) => path.endsWith('.csv'))?.[1];
    expect(csv?.toString()).toBe(cli().read('same.csv-out.csv'));
    await cli().run(['export', batch, '-o', 'same.parquet']);
    const parquet = [...files].find(([path]) => path.endsWith('.parquet'))?.[1] ?? Buffer.from('');
    const exported = readFileSync(`${cli().folder}/same.parquet`);
    expect((await readParquet(parquet)).lines).toEqual((await readParquet(exported)).lines);
    for (const name of ['lake', 'copies']) await cli().ask(['destination', 'remove', name]);
  });

  test('keeps to the folder of the destination, whatever the name of the file', async () => {
    const root = testFolder();
    await cli().ask(['destination', 'add', 'flat', root, '--format', 'ndjson', '--gzip']);
    cli().write('..%2f..%2fetc$(x)\u202E .csv', 'company,website\nNike,nike.com\n');
    await cli().ask(['enrich', '..%2f..%2fetc$(x)\u202E .csv', '--source', 'sample', '-o', 'o.csv']);
    const paths = [...readLanded(root).keys()];
    expect(paths).toHaveLength(2);
    for (const path of paths) expect(path).toMatch(/^[\p{L}\p{N}_-][\p{L}\p{N}._-]*$/u);
    await cli().ask(['destination', 'remove', 'flat']);
  });

  test('finishes the batch even if the destination cannot be written, and shows no secret', async () => {
    const secret = 'hush-3fa9-hush';
    cli().write('secret.json', JSON.stringify({ access_key_id: 'AKIDEXAMPLE', secret_access_key: secret }));
    const texts: string[] = [];
    const key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret, region: 'us-east-1' };
    const s3 = await openS3StandIn({ key, buckets: ['lake'] });
    const add = ['destination', 'add', 'gone', 's3://lake', '--endpoint', s3.url];
    await cli().ask([...add, '--credentials', 'secret.json']);
    expect(s3.objects.size).toBe(0);
    await s3.close();
    const again = await cli().run([...add, '--credentials', 'secret.json']);
    expect(again.stderr).toContain('The bucket lake at 127.0.0.1');
    texts.push(again.stdout, again.stderr);
    cli().write('last.csv', 'company,website\nPuma,puma.com\n');
    for (const args of [
      ['enrich', 'last.csv', '--source', 'sample', '-o', 'last-out.csv'],
      ['destination', 'show', 'gone'],
      ['destination', 'list', '--json'],
      ['destination', 'landings', 'gone'],
      ['destination', 'test', 'gone'],
      ['status'],
      ['audit', '--json'],
      ['sql', 'SELECT * FROM destinations'],
      ['sql', 'SELECT * FROM landings'],
    ]) {
      const { stdout, stderr } = await cli().run(args);
      texts.push(stdout, stderr);
    }
    expect(texts.join('\n')).not.toContain(secret);
    expect(await cli().ask(['destination', 'landings', 'gone'])).toMatchObject([
      { state: 'pending', attempts: 1, last_error: expect.stringContaining('cannot be reached') as string },
    ]);
    expect((await cli().run(['sql', 'SELECT * FROM nightshift.destinations'])).stderr).toContain('denied');
  });
});

describe('nightshift destination', () => {
  test('adds, shows, edits, disables and removes a destination', async () => {
    const folder = testFolder();
    expect(
      await calling().ask(['destination', 'add', 'a b', folder, '--format', 'csv', '--raw']),
    ).toMatchObject({
      id: expect.stringMatching(/^dst_[0-9a-f]{32}$/) as string,
      name: 'a b',
      location: folder,
      kind: 'folder',
      format: 'csv',
      shapes: ['rows'],
      layout: 'flat',
      raw: true,
      state: 'active',
    });
    expect(
      await calling().ask(['destination', 'edit', 'a b', '--format', 'parquet', '--name', 'c']),
    ).toMatchObject({
      name: 'c',
      format: 'parquet',
      layout: 'partitioned',
      raw: false,
    });
    expect(await calling().ask(['destination', 'disable', 'c'])).toMatchObject({ state: 'disabled' });
    expect((await calling().call(['destination'])).stdout).toContain('State of c: by request');
    expect(await calling().ask(['destination', 'enable', 'c'])).toMatchObject({
      state: 'active',
      reason: null,
    });
    expect((await calling().call(['destination', 'show', 'c'])).stdout).toContain('Takes        all batches');
    expect(await calling().ask(['destination', 'remove', 'c'])).toMatchObject({ state: 'removed' });
    expect(await calling().ask(['destination', 'list'])).toEqual([]);
  });

  test.each([
    [['add', 'x', 'https://example.com/in'], 'nothing can be written to a web address'],
    [['add', 'x', '/tmp/missing/folder'], 'The folder /tmp/missing/folder'],
    [['add', 'x', '/tmp', '--shape', 'cells'], 'Unknown shape "cells"'],
    [['add', 'x', '/tmp', '--schedule', 's', '--batch', 'b'], 'Choose --schedule or --batch'],
    [['add', 'x', '/tmp', '--schedule', 'nothing'], 'There is no schedule nothing'],
    [['add', 'x', 's3://bucket/x', '--credentials', 'missing.json'], 'no such file'],
    [['add', 'x', 'postgres://me:pw@host/db', '--table', 'a.b'], 'contains a password'],
    [['edit', 'x'], 'There is no destination x'],
    [['replay', 'x', '--dead', '--since', '7d'], 'Choose what to land again'],
    [['landings', 'x', '--limit', '0'], 'must be an integer'],
  ])('rejects %j', async (args, message) => {
    const { exitCode, stderr } = await calling().call(['destination', ...args]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(message);
  });
});
