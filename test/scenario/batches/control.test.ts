import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const cli = useTestCli({ inProcess: true });

async function openSource(latencyMs = 60): Promise<SourceStandIn> {
  const source = await openSourceStandIn({ latencyMs: { min: latencyMs, max: latencyMs } });
  onTestFinished(() => source.close());
  return source;
}

function settingsOf(source: SourceStandIn) {
  return {
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '20',
  };
}

function listOf(count: number, name: string): string {
  return `domain\n${Array.from({ length: count }, (_, i) => `${name}-${i}.com\n`).join('')}`;
}

async function untilCalled(source: SourceStandIn, times: number): Promise<void> {
  await vi.waitFor(() => expect(source.log.length).toBeGreaterThanOrEqual(times), {
    timeout: waitMsMax,
    interval: 20,
  });
}

/** Loads a batch of 60 companies and starts a worker. */
async function beginWork(name: string) {
  const source = await openSource();
  const environment = settingsOf(source);
  cli().write(`${name}.csv`, listOf(60, name));
  const loaded = (await cli().ask(['load', `${name}.csv`, '--source', 'upstream'], { environment })) as {
    id: string;
  };
  const worker = cli().start(['work'], { environment });
  onTestFinished(async () => void (worker.isRunning() && (await worker.kill())));
  await untilCalled(source, 5);
  return { source, environment, batch: loaded.id, worker };
}

describe('running batch', () => {
  test('stops when pause returns, with no reserved credits, and continues after resume to its end', async () => {
    const { source, environment, batch } = await beginWork('paused');
    expect(await cli().ask(['pause', batch], { environment })).toMatchObject({ id: batch, state: 'paused' });
    const called = source.log.length;
    expect(await cli().ask(['credits'])).toMatchObject({ held: 0 });
    const again = await cli().run(['pause', batch], { environment });
    expect([again.exitCode, again.stdout]).toEqual([
      0,
      expect.stringContaining(`nightshift resume ${batch}`),
    ]);
    expect(source.log).toHaveLength(called);
    const watched = await cli().run(['watch', batch]);
    expect([watched.exitCode, watched.stdout]).toEqual([130, expect.stringContaining('paused: by request')]);

    await cli().ask(['resume', batch], { environment });
    expect((await cli().run(['watch', batch])).exitCode).toBe(0);
    expect(source.log).toHaveLength(60);
  });

  test('keeps its results when cancelled, ends the rest free of charge, and exports both', async () => {
    const { source, batch } = await beginWork('cancelled');
    const cancelled = (await cli().ask(['cancel', batch])) as { lookups: Record<string, number> };
    expect(cancelled).toMatchObject({ id: batch, state: 'cancelled', lookups: { total: 60, open: 0 } });
    expect(cancelled.lookups['cancelled']).toBe(60 - source.log.length);
    const { stdout } = await cli().run(['export', batch]);
    expect(stdout.match(/,cancelled,/g)).toHaveLength(60 - source.log.length);
    for (const move of ['pause', 'resume', 'retry']) {
      const refused = await cli().run([move, batch]);
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('is cancelled')]);
    }
  });
});

describe('--limit', () => {
  test('looks up only the first rows, exports every row, and a later run continues', async () => {
    const source = await openSource(5);
    const environment = settingsOf(source);
    cli().write('taste.csv', listOf(30, 'taste'));
    const limitedRun = ['enrich', 'taste.csv', '--source', 'upstream', '-o', 'taste-out.csv'];
    const first = await cli().run([...limitedRun, '--limit', '5'], { environment });
    expect([first.exitCode, first.stdout]).toEqual([0, expect.stringContaining('without --limit')]);
    expect(source.log).toHaveLength(5);
    const rows = cli().read('taste-out.csv').trimEnd().split('\n');
    expect(rows).toHaveLength(31);
    expect(rows.filter((row) => row.includes(',open,'))).toHaveLength(25);
    expect(await cli().ask(limitedRun, { environment })).toMatchObject({
      state: 'finished',
      lookups: { open: 0 },
    });
    expect(source.log).toHaveLength(30);
  });

  test.each(['0', 'ten', '-1', '2000000'])('%s is rejected with a remedy', async (limit) => {
    cli().write('some.csv', listOf(2, 'some'));
    const refused = await cli().run(['enrich', 'some.csv', '--source', 'sample', `--limit=${limit}`]);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('such as --limit 10')]);
  });
});

describe('--max-credits', () => {
  test('ends a run with exit code 3 at the budget, and a larger budget continues it', async () => {
    const source = await openSource(5);
    const environment = { ...settingsOf(source), NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '200' };
    cli().write('budget.csv', listOf(40, 'budget'));
    const budget = ['enrich', 'budget.csv', '--source', 'upstream', '-o', 'budget-out.csv'];
    const stopped = await cli().run([...budget, '--max-credits', '2'], { environment });
    expect([stopped.exitCode, stopped.stdout]).toEqual([3, expect.stringContaining('2 charged (at most 2)')]);
    expect(stopped.stdout).toContain('--max-credits');
    const done = await cli().ask([...budget, '--max-credits', '20'], { environment });
    expect(done).toMatchObject({ state: 'finished', lookups: { open: 0 }, max_credits: 20 });
    expect(source.log).toHaveLength(40);
  });
});

describe('retry', () => {
  test('retries failed lookups after an outage, and the export shows the new answers', async () => {
    const down = await openSourceStandIn({
      // Not three alike in a row, for which a batch waits.
      script: [
        { everyNth: 2, failure: { kind: 'status', status: 400 } },
        { everyNth: 1, failure: { kind: 'status', status: 422 } },
      ],
    });
    onTestFinished(() => down.close());
    cli().write('retried.csv', listOf(4, 'retried'));
    const enrich = ['enrich', 'retried.csv', '--source', 'upstream', '-o', 'retried-out.csv'];
    const failed = (await cli().ask(enrich, { environment: settingsOf(down), exitCode: 1 })) as {
      id: string;
    };
    expect(failed).toMatchObject({ state: 'finished', lookups: { failed: 4 } });
    expect(await cli().ask(['retry', failed.id])).toMatchObject({ retried: 4, in_doubt_left: 0 });
    const source = await openSource(5);
    const done = await cli().ask(enrich, { environment: settingsOf(source) });
    expect(done).toMatchObject({
      id: failed.id,
      state: 'finished',
      lookups: { total: 4, failed: 0, open: 0 },
    });
    expect(cli().read('retried-out.csv')).not.toContain('failed');
  });

  test('--mapped looks up companies that were not identified and are mapped now', async () => {
    const run = cli();
    const file = 'mapped.csv';
    run.write(file, 'company\nNowhere at all\nSomewhere else\n');
    const enrich = ['enrich', file, '--source', 'sample', '-o', 'mapped-out.csv'];
    const first = (await run.ask(enrich)) as { id: string };
    expect(first).toMatchObject({ state: 'finished', lookups: { no_match: 2 } });
    const none = await run.run(['retry', first.id, '--mapped']);
    expect([none.exitCode, none.stdout]).toEqual([0, expect.stringContaining('has been mapped since')]);
    await run.ask(['companies', 'map', 'Nowhere at all', 'AR10000000000000000070']);
    const retried = await run.run(['retry', first.id, '--mapped']);
    expect([retried.exitCode, retried.stdout]).toEqual([
      0,
      expect.stringContaining('Looking up 1 mapped company again'),
    ]);
    expect(await run.ask(enrich)).toMatchObject({
      id: first.id,
      state: 'finished',
      lookups: { found: 1, no_match: 1, failed: 0, open: 0 },
    });
    const both = await run.run(['retry', first.id, '--mapped', '--in-doubt']);
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('Give only one of')]);
  });
});

test('all invariants hold afterwards', async () => {
  expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
});

test('export and retry take rows by number', async () => {
  cli().write('some.csv', 'domain,company\nnike.com,\n,Quux Industries\nspotify.com,\n');
  await cli().ask(['enrich', 'some.csv', '--source', 'sample', '-o', 'some-out.csv']);
  const exported = await cli().run(['export', 'latest', '--rows', '2-3']);
  expect(exported.stdout.trim().split('\n').slice(1)).toEqual([
    expect.stringMatching(/^,Quux Industries,/),
    expect.stringMatching(/^spotify\.com,/),
  ]);
  for (const [args, text] of [
    [['export', 'latest', '--rows', '2,4-5'], 'The batch has 3 rows. It has no row 4-5.'],
    [['export', '--rows', '1', '--since', '1d', '-o', 'x.csv'], '--rows is for one batch'],
    [['export', 'latest', '--rows', 'first'], '--rows "first": must be row numbers'],
    [['retry', 'latest', '--rows', '9'], 'It has no row 9.'],
    [['retry', 'latest', '--mapped', '--unidentified'], 'Give only one of --unidentified and --mapped'],
  ] as const) {
    const { exitCode, stdout, stderr } = await cli().run(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  }
  const dry = await cli().run(['retry', 'latest', '--unidentified', '--rows', '1-2', '--dry-run']);
  expect([dry.exitCode, dry.stdout]).toEqual([
    0,
    'A retry looks up 1 company or address again, for at most 0.2 credits. Nothing is retried yet.\n',
  ]);
  expect(await cli().ask(['retry', 'latest', '--rows', '1-2'])).toMatchObject({
    ...{ state: 'finished', retried: 0, credits_max: 0 },
  });
  expect(await cli().ask(['retry', 'latest', '--rows', '1-2', '--unidentified'])).toMatchObject({
    ...{ state: 'running', retried: 1, credits_max: 0.2, lookups: { total: 3, open: 1 } },
  });
  expect((await cli().run(['verify'])).exitCode).toBe(0);
});
