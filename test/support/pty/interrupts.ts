import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useTestCli, type TestCli } from '../cli/test-cli.ts';
import type { Environment } from '../cli/nightshift-process.ts';
import { ctrlC, openTerminal, type TerminalRun } from './terminal.ts';
import { openSourceStandIn, type SourceStandIn, type StandInOptions } from '../stand-in/source-stand-in.ts';
import { waitMsMax } from '../wait-bound.ts';

/** Expected state of a terminal after any command. */
export const inOrder = { tooWide: [], modesLost: [], isCursorVisible: true };

/** Starts commands in terminals of a width. */
export function openAt(service: () => TestCli, columns: number) {
  return (args: readonly string[], environment: Environment = {}): TerminalRun =>
    openTerminal(args, {
      folder: service().folder,
      environment: { ...service().environment, ...environment },
      columns,
    });
}

/** Opens a source that logs its calls, until the end of the test. */
export async function openSource(options: StandInOptions): Promise<SourceStandIn> {
  // Not idempotent: a repeated call would take effect twice.
  const source = await openSourceStandIn({ idempotent: false, ...options });
  onTestFinished(() => source.close());
  return source;
}

/** Settings of the command. */
export function settingsOf(source: SourceStandIn): Environment {
  return { NIGHTSHIFT_UPSTREAM_URL: source.url, NIGHTSHIFT_UPSTREAM_KEY: source.key };
}

/** Creates a file of companies, by domain. */
export function listOf(count: number, name: string): string {
  return `domain\n${Array.from({ length: count }, (_, i) => `${name}-${i}.com\n`).join('')}`;
}

/** Resolves when the source has received the number of calls. */
export async function untilCalled(source: SourceStandIn, times: number): Promise<void> {
  await vi.waitFor(() => expect(source.log.length).toBeGreaterThanOrEqual(times), { timeout: waitMsMax });
}

/** Tests the guarantees of Ctrl-C in a terminal of a width. Each test file has one, so that files run in parallel. */
export function testInterrupts(columns: number): void {
  const service = useTestCli();
  const open = openAt(service, columns);

  async function expectNothingLost(): Promise<void> {
    expect(await service().runApart(['verify'])).toMatchObject({ exitCode: 0 });
  }

  test('while a file loads: exit code 130, and the same command continues', async () => {
    const file = `loading-${columns}.csv`;
    service().write(file, listOf(60_000, `loading-${columns}`));
    const run = open(['load', file, '--source', 'sample']);
    await run.says(/Loading: [\d,]+ rows/);
    run.press(ctrlC);
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 130, ...inOrder });
    expect(ended.text).toContain('Stopped while loading the file.');
    const again = await service().runApart(['load', file, '--source', 'sample']);
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^bat_/) as string });
    const batch = again.stdout.trim();
    expect(await service().ask(['status', batch])).toMatchObject({ rows: { total: 60_000 } });
    await service().runApart(['cancel', batch]);
  });

  test('while a batch runs: calls in flight finish, exit code 130, and the next run finishes the rest', async () => {
    const source = await openSource({ latencyMs: { min: 200, max: 400 } });
    const file = `running-${columns}.csv`;
    service().write(file, listOf(30, `running-${columns}`));
    const args = ['enrich', file, '-o', `running-${columns}-out.csv`];
    const run = open(args, settingsOf(source));
    await untilCalled(source, 8);
    run.press(ctrlC);
    await run.says('Stopping: waiting for');
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 130, ...inOrder });
    expect(ended.text).toContain('Stopped. Nothing is lost');
    expect(ended.text).not.toContain('Canceled');
    expect(existsSync(join(service().folder, `running-${columns}-out.csv`))).toBe(false);

    const done = open(args, settingsOf(source));
    expect(await done.ended()).toMatchObject({ exitCode: 0, ...inOrder });
    // No call was interrupted: none was repeated, and none is in doubt.
    expect(source.log).toHaveLength(30);
    expect(service().read(`running-${columns}-out.csv`)).not.toContain('in_doubt');
    await expectNothingLost();
  });

  test('a second Ctrl-C ends immediately, and the next run reports that it waits for the interrupted work', async () => {
    const source = await openSource({ script: [{ failure: { kind: 'hang' } }] });
    const settings = { ...settingsOf(source), NIGHTSHIFT_LEASE_SECONDS: '12' };
    const file = `twice-${columns}.csv`;
    service().write(file, listOf(3, `twice-${columns}`));
    const args = ['enrich', file, '-o', `twice-${columns}-out.csv`];
    const run = open(args, settings);
    await untilCalled(source, 1);
    run.press(ctrlC);
    await run.says('Stopping: waiting for');
    run.press(ctrlC);
    expect(await run.ended()).toMatchObject({ exitCode: 130, ...inOrder });
    source.setBehaviour(() => undefined);

    const next = open(args, settings);
    await next.says('a process that worked on it was killed');
    await next.says(/waiting \d+ s to rescue interrupted work/);
    // The result of interrupted calls is unknown and reported as in doubt.
    expect(await next.ended()).toMatchObject({ ...inOrder });
    await expectNothingLost();
  });

  test('while results are written: exit code 130, and the message names the command that writes them', async () => {
    const file = `writing-${columns}.csv`;
    service().write(file, listOf(30_000, 'writing'));
    const target = `writing-${columns}.xlsx`;
    const run = open(['enrich', file, '--source', 'sample', '-o', target]);
    await run.says('Writing');
    run.press(ctrlC);
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 130, ...inOrder });
    const [, batch = ''] = /nightshift export (bat_\w+)/.exec(ended.text) ?? [];
    expect(existsSync(join(service().folder, target))).toBe(false);
    expect(await service().ask(['status', batch])).toMatchObject({ state: 'finished' });
  });
}
