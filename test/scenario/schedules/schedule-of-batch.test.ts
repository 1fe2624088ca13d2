import { expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

interface Scans {
  readonly scans: readonly { readonly state: string; readonly batch: string | null }[];
}

test('schedule add --from-batch repeats the rows of a batch with its options', async () => {
  cli().write('rivals.csv', 'Domain;Note\nnike.com;"a;b"\n;empty\nspotify.com;\n');
  await cli().ask(['enrich', 'rivals.csv', '--source', 'sample', '--max-ads', '2', '-o', 'out.csv']);
  const add = (name: string, ...options: readonly string[]) => [
    ...['schedule', 'add', name, '--cron', '@weekly', '--tz', 'UTC', ...options],
  ];
  expect(await cli().ask(add('weekly', '--from-batch', 'latest'))).toMatchObject({
    ...{ name: 'weekly', companies: 2, file_name: 'rivals.csv', sources: ['sample'], rejected: 1 },
  });
  expect(await cli().ask(add('by name', '--from-batch', 'rivals.csv', '--max-ads', '9'))).toMatchObject({
    companies: 2,
  });
  const working = cli().start(['work']);
  await cli().ask(['schedule', 'run', 'weekly']);
  await expect
    .poll(async () => ((await cli().ask(['schedule', 'scans', 'weekly'])) as Scans).scans[0]?.state, {
      timeout: 60_000,
    })
    .toBe('finished');
  const [scan] = ((await cli().ask(['schedule', 'scans', 'weekly'])) as Scans).scans;
  expect(await cli().ask(['status', scan?.batch ?? ''])).toMatchObject({
    ...{ rows: { total: 3, rejected: 1 }, lookups: { total: 2, found: 2 }, max_ads: 2 },
  });
  expect((await working.stop()).exitCode).toBe(0);
  expect((await cli().run(['verify'])).exitCode).toBe(0);
});

test.each([
  ['neither a file nor a batch', [], '--companies FILE or --from-batch BATCH'],
  ['both', ['--companies', 'list.csv', '--from-batch', 'latest'], '--companies FILE or --from-batch BATCH'],
  ['a reading option of a batch', ['--from-batch', 'latest', '--delimiter', ';'], '--companies FILE'],
  ['an unknown batch', ['--from-batch', 'nothing.csv'], 'There is no batch nothing.csv'],
])('schedule add rejects %s', async (_, options, text) => {
  const { exitCode, stdout, stderr } = await cli().run([
    ...['schedule', 'add', 'rejected', '--cron', '@weekly', ...options],
  ]);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
});
