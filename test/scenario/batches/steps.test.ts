import { describe, expect, inject, test } from 'vitest';
import { readConstituents } from '../../support/cli/constituents.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';

const list = readConstituents();

describe.each(['postgres', 'redis'] as const)('batch in steps, with the queue on %s', (queue) => {
  const title = queue === 'redis' && inject('redisUrl') === null ? ' (not run: no Redis)' : '';
  describe.skipIf(title !== '')(`load, work, watch, export${title}`, () => {
    const cli = useTestCli({ queue, inProcess: true });

    test('a batch loaded by one process is completed by another', async () => {
      cli().write('list.csv', list.text);
      const load = ['load', 'list.csv', '--map', 'company_name=Security', '--source', 'sample'];
      const { stdout } = await cli().runApart(load);
      expect(stdout).toMatch(/^bat_[0-9a-f]{32}\n$/);
      const batch = stdout.trim();
      expect(await cli().ask(['status', batch])).toMatchObject({
        state: 'running',
        credits: { charged: 0 },
      });

      const watching = cli().start(['watch', batch, '--json']);
      const working = cli().start(['work']);
      const watched = await watching.ended;
      expect(watched.exitCode, watched.stderr).toBe(0);
      expect(JSON.parse(watched.stdout)).toMatchObject({
        id: batch,
        state: 'finished',
        lookups: { open: 0 },
      });
      expect((await working.stop()).exitCode).toBe(0);

      await cli().ask(['export', batch, '-o', 'out.csv']);
      expect(cli().read('out.csv').trimEnd().split('\n')).toHaveLength(list.rows + 1);
      expect(await cli().ask(load)).toMatchObject({ id: batch, new: false });
    });

    test('up continues the work of a stopped worker', async () => {
      cli().write('later.csv', 'company\nNike\nIKEA\n');
      const { id: batch } = (await cli().ask(['load', 'later.csv', '--source', 'sample'])) as { id: string };
      const running = cli().start(['up']);
      expect((await cli().runApart(['watch', batch])).exitCode).toBe(0);
      const stopped = await running.stop();
      expect([stopped.exitCode, stopped.stdout]).toEqual([0, '']);
    });
  });
});
