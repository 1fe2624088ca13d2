import { expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

interface Batch {
  readonly id: string;
}

test('run-again charges the rows of a batch anew, or reuses its answers', async () => {
  cli().write('list.csv', 'domain\nnike.com\nspotify.com\nnike.com\n');
  await cli().ask(['enrich', 'list.csv', '--source', 'sample', '-o', 'out.csv']);
  // Its batches of later runs are found by the name of the file, too.
  const first = (await cli().ask(['status', 'latest'])) as Batch;
  const working = cli().start(['work']);
  const again = async (...options: readonly string[]) => {
    const { id } = (await cli().ask(['run-again', first.id, ...options])) as Batch;
    return cli().ask(['watch', id]);
  };
  expect(await again('--name', 'second')).toMatchObject({
    name: 'second',
    origin: { kind: 'run_again', name: 'list.csv' },
    rows: { total: 3 },
    lookups: { total: 2, found: 2 },
    credits: { charged: 0.4 },
  });
  expect(await again('--max-age', '1h')).toMatchObject({ lookups: { found: 2 }, credits: { charged: 0 } });
  expect((await working.stop()).exitCode).toBe(0);
  const { exitCode, stderr } = await cli().run(['run-again', 'nothing.csv']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('There is no batch nothing.csv');
  expect((await cli().run(['verify'])).exitCode).toBe(0);
});
