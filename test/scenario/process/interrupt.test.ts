import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { ownEnvironment } from '../../support/cli/nightshift-process.ts';
import {
  openSourceStandIn,
  type SourceStandIn,
  type StandInOptions,
} from '../../support/stand-in/source-stand-in.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const cli = useTestCli();

async function openSource(options: StandInOptions): Promise<SourceStandIn> {
  const source = await openSourceStandIn(options);
  onTestFinished(() => source.close());
  return source;
}

function settingsOf(source: SourceStandIn) {
  return { NIGHTSHIFT_UPSTREAM_URL: source.url, NIGHTSHIFT_UPSTREAM_KEY: source.key };
}

/** Creates a file of companies, by domain. */
function listOf(count: number, name: string): string {
  return `domain\n${Array.from({ length: count }, (_, i) => `${name}-${i}.com\n`).join('')}`;
}

async function untilCalled(source: SourceStandIn, times: number): Promise<void> {
  await vi.waitFor(() => expect(source.log.length).toBeGreaterThanOrEqual(times), {
    timeout: waitMsMax,
    interval: 20,
  });
}

describe('Ctrl-C', () => {
  test('keeps completed work: the same command finishes the batch, and nothing is called or charged twice', async () => {
    // Not idempotent: a repeated call would take effect twice.
    const source = await openSource({ latencyMs: { min: 20, max: 200 }, idempotent: false });
    const environment = settingsOf(source);
    cli().write('slow.csv', listOf(30, 'slow'));
    const args = ['enrich', 'slow.csv', '-o', 'slow-out.csv'];
    const before = await spent();
    const running = cli().start(args, { environment });
    await untilCalled(source, 8);
    const stopped = await running.interrupt();
    expect(stopped.exitCode).toBe(130);
    expect(stopped.stdout).toBe('');
    const [batch = ''] = /bat_[0-9a-f]{32}/.exec(stopped.stderr) ?? [];
    expect(stopped.stderr).toContain(`nightshift status ${batch}`);
    expect(stopped.stderr).toContain('run the same command again');
    expect(stopped.stderr).not.toContain('"level":');
    expect(existsSync(join(cli().folder, 'slow-out.csv'))).toBe(false);
    const asked = source.log.length;
    expect(asked).toBeLessThan(30);

    const done = (await cli().ask(args, { environment })) as { lookups: Record<string, number> };
    expect(done).toMatchObject({ id: batch, state: 'finished', lookups: { total: 30, failed: 0, open: 0 } });
    expect(source.log).toHaveLength(30);
    expect(new Set(source.log.map(({ body }) => JSON.stringify(body))).size).toBe(30);
    expect((await spent()) - before).toBe(2 * (done.lookups['found'] ?? 0));
  });

  test('a second Ctrl-C ends the process immediately', async () => {
    const source = await openSource({ script: [{ failure: { kind: 'hang' } }] });
    cli().write('hanging.csv', listOf(3, 'hanging'));
    const running = cli().start(['enrich', 'hanging.csv', '-o', 'hanging-out.csv'], {
      environment: settingsOf(source),
    });
    await untilCalled(source, 1);
    const first = running.interrupt();
    await running.waitForOutput('Stopped.');
    const secondAt = performance.now();
    const [ended] = await Promise.all([running.interrupt(), first]);
    expect(ended.exitCode).toBe(130);
    expect(performance.now() - secondAt).toBeLessThan(2000);
  });

  test('an idle worker ends immediately, with exit code 0', async () => {
    const running = cli().start(['work']);
    await running.waitForOutput('Workers are running.');
    const stoppedAt = performance.now();
    expect((await running.interrupt()).exitCode).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(5000);
  });

  /** Tenths of credits. */
  async function spent(): Promise<number> {
    const { balance, held } = (await cli().ask(['credits'])) as { balance: number; held: number };
    return Math.round((10_000 - balance - held) * 10);
  }
});

describe('closed reader', () => {
  const nightshift = `"${process.execPath}" "${join(packageRoot, 'src', 'cli', 'nightshift.js')}"`;

  function shell(script: string) {
    const { folder, environment } = cli();
    const env = { ...ownEnvironment(), ...environment };
    return spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8', timeout: waitMsMax });
  }

  test('of stdout (| head) is not an error, and prints no message', async () => {
    cli().write('long.csv', listOf(20_000, 'long'));
    const batch = (await cli().run(['load', 'long.csv', '--source', 'sample'])).stdout.trim();
    const { stdout, stderr } = shell(
      `${nightshift} export ${batch} --json --format json -o - 2> error.txt | head -n 2; echo "exit \${PIPESTATUS[0]}"`,
    );
    expect(stderr).toBe('');
    expect(stdout.split('\n')[1]).toContain('long-0.com');
    expect(stdout).toMatch(/exit 0\n$/);
    expect(readFileSync(join(cli().folder, 'error.txt'), 'utf8')).toBe('');
  });

  test('of stderr does not end the work', () => {
    cli().write('quiet.csv', listOf(3, 'quiet'));
    const { stdout } = shell(
      `{ ${nightshift} enrich quiet.csv --source sample -o quiet-out.csv 2>&1 >result.txt; echo "exit $?" >exit.txt; } | true; cat exit.txt`,
    );
    expect(stdout).toBe('exit 0\n');
    expect(cli().read('result.txt')).toContain('finished');
    expect(cli().read('quiet-out.csv')).toContain('quiet-2.com');
  });
});
