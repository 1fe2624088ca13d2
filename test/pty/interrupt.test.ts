import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { useDesk } from '../support/desk.ts';
import type { Environment } from '../support/nightshift-process.ts';
import { ctrlC, openTerminal, type TerminalRun } from '../support/pty/terminal.ts';
import { openSourceStandIn, type SourceStandIn, type StandInOptions } from '../support/source-stand-in.ts';

const desk = useDesk();

/** What every command leaves behind in a terminal, however it ended. */
const inOrder = { tooWide: [], modesLost: [], isCursorVisible: true };

function open(args: readonly string[], columns: number, environment: Environment = {}): TerminalRun {
  return openTerminal(args, {
    folder: desk().folder,
    environment: { ...desk().environment, ...environment },
    columns,
  });
}

async function openSource(options: StandInOptions): Promise<SourceStandIn> {
  // Not idempotent: a call that was sent twice would take effect twice.
  const source = await openSourceStandIn({ idempotent: false, ...options });
  onTestFinished(() => source.close());
  return source;
}

function settingsOf(source: SourceStandIn): Environment {
  return { NIGHTSHIFT_UPSTREAM_URL: source.url, NIGHTSHIFT_UPSTREAM_KEY: source.key };
}

function listOf(count: number, name: string): string {
  return `domain\n${Array.from({ length: count }, (_, i) => `${name}-${i}.com\n`).join('')}`;
}

async function untilCalled(source: SourceStandIn, times: number): Promise<void> {
  await vi.waitFor(() => expect(source.log.length).toBeGreaterThanOrEqual(times), { timeout: 20_000 });
}

async function expectNothingLost(): Promise<void> {
  const verified = await desk().runApart(['verify']);
  expect(verified).toMatchObject({ exitCode: 0 });
}

describe.each([80, 120])('Ctrl-C in a terminal of %i columns', (columns) => {
  test('while a list loads: exit 130, and the same command continues', async () => {
    const file = `loading-${columns}.csv`;
    desk().write(file, listOf(60_000, `loading-${columns}`));
    const run = open(['load', file, '--source', 'sample'], columns);
    await run.says(/Loading: [\d,]+ rows/);
    run.press(ctrlC);
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 130, ...inOrder });
    expect(ended.text).toContain('Stopped while the list was loading.');
    const again = await desk().runApart(['load', file, '--source', 'sample']);
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^bat_/) as string });
    const batch = again.stdout.trim();
    expect(await desk().ask(['status', batch])).toMatchObject({ rows: { total: 60_000 } });
    await desk().runApart(['cancel', batch]);
  });

  test('while it runs: calls under way finish, exit 130, and the next run finishes the rest', async () => {
    const source = await openSource({ latencyMs: { min: 200, max: 400 } });
    const file = `running-${columns}.csv`;
    desk().write(file, listOf(30, `running-${columns}`));
    const args = ['enrich', file, '-o', `running-${columns}-out.csv`];
    const run = open(args, columns, settingsOf(source));
    await untilCalled(source, 8);
    run.press(ctrlC);
    await run.says('Stopping: waiting for');
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 130, ...inOrder });
    expect(ended.text).toContain('Stopped. Nothing is lost');
    expect(ended.text).not.toContain('Canceled');
    expect(existsSync(join(desk().folder, `running-${columns}-out.csv`))).toBe(false);

    const done = open(args, columns, settingsOf(source));
    expect(await done.ended()).toMatchObject({ exitCode: 0, ...inOrder });
    // No call was cut: none was repeated, and none is in doubt.
    expect(source.log).toHaveLength(30);
    expect(desk().read(`running-${columns}-out.csv`)).not.toContain('in_doubt');
    await expectNothingLost();
  });

  test('a second time ends at once, and the next run says that it waits for what was cut off', async () => {
    const source = await openSource({ script: [{ trouble: { kind: 'hang' } }] });
    const settings = { ...settingsOf(source), NIGHTSHIFT_LEASE_SECONDS: '5' };
    const file = `twice-${columns}.csv`;
    desk().write(file, listOf(3, `twice-${columns}`));
    const args = ['enrich', file, '-o', `twice-${columns}-out.csv`];
    const run = open(args, columns, settings);
    await untilCalled(source, 1);
    run.press(ctrlC);
    await run.says('Stopping: waiting for');
    run.press(ctrlC);
    expect(await run.ended()).toMatchObject({ exitCode: 130, ...inOrder });
    source.setBehaviour(() => undefined);

    const next = open(args, columns, settings);
    await next.says('a process that worked on it was cut off');
    await next.says(/waiting \d+ s for work that was cut off/);
    // What became of the calls that were cut is not known, and said so.
    expect(await next.ended()).toMatchObject({ ...inOrder });
    await expectNothingLost();
  });

  test('while a result is written: exit 130, and the command that writes it is named', async () => {
    const file = `writing-${columns}.csv`;
    desk().write(file, listOf(30_000, 'writing'));
    const target = `writing-${columns}.xlsx`;
    const run = open(['enrich', file, '--source', 'sample', '-o', target], columns);
    await run.says('Writing');
    run.press(ctrlC);
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 130, ...inOrder });
    const [, batch = ''] = /nightshift export (bat_\w+)/.exec(ended.text) ?? [];
    expect(existsSync(join(desk().folder, target))).toBe(false);
    expect(await desk().ask(['status', batch])).toMatchObject({ state: 'finished' });
  });

  test.each([
    ['up', 'Working, and the API listens'],
    ['work', 'Working.'],
    ['serve', 'The API listens'],
  ])('ends an idle `%s` at once, with exit 0', async (command, ready) => {
    const run = open([command], columns);
    await run.says(ready);
    run.press(ctrlC);
    expect(await run.ended()).toMatchObject({ exitCode: 0, ...inOrder });
  });
});

describe('Ctrl-C while a command waits', () => {
  test.each([
    ['for lines', ['validate', '--ndjson', '--syntax-only']],
    ['for a list', ['enrich', '-', '--source', 'sample']],
  ])('%s from the terminal ends it', async (_, args) => {
    const run = open(args, 80);
    await run.says('Ctrl-D');
    run.press(ctrlC);
    expect(await run.ended()).toMatchObject({ exitCode: 130, ...inOrder });
  });
});

test('a terminal that is closed stops the work as Ctrl-C does: no call is cut', async () => {
  const source = await openSource({ latencyMs: { min: 300, max: 600 } });
  desk().write('closed.csv', listOf(30, 'closed'));
  const args = ['enrich', 'closed.csv', '-o', 'closed-out.csv'];
  const run = open(args, 80, settingsOf(source));
  await untilCalled(source, 8);
  run.hangUp();
  await vi.waitUntil(() => !run.isRunning(), { timeout: 20_000 });
  const done = await desk().runApart(args, { environment: settingsOf(source) });
  expect(done.exitCode).toBe(0);
  expect(source.log).toHaveLength(30);
});
