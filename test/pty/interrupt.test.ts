import { describe, expect, test, vi } from 'vitest';
import { useTestCli } from '../support/cli/test-cli.ts';
import { inOrder, listOf, openAt, openSource, settingsOf, untilCalled } from '../support/pty/interrupts.ts';
import { ctrlC } from '../support/pty/terminal.ts';
import { waitMsMax } from '../support/wait-bound.ts';

const cli = useTestCli();
const open = openAt(cli, 80);

describe('Ctrl-C without running work', () => {
  test.each([
    ['up', 'Press Ctrl-C to stop'],
    ['work', 'Workers are running.'],
    ['serve', 'Press Ctrl-C to stop'],
  ])('ends an idle `%s` immediately, with exit code 0', async (command, ready) => {
    const run = open([command]);
    await run.says(ready);
    run.press(ctrlC);
    expect(await run.ended()).toMatchObject({ exitCode: 0, ...inOrder });
  });
});

describe('Ctrl-C while a command waits', () => {
  test.each([
    ['for lines', ['validate', '--ndjson', '--syntax-only']],
    ['for a list', ['enrich', '-', '--source', 'sample']],
  ])('%s from the terminal ends the command', async (_, args) => {
    const run = open(args);
    await run.says('Ctrl-D');
    run.press(ctrlC);
    expect(await run.ended()).toMatchObject({ exitCode: 130, ...inOrder });
  });
});

test('closing the terminal stops the work like Ctrl-C, without interrupting a call', async () => {
  const source = await openSource({ latencyMs: { min: 300, max: 600 } });
  cli().write('closed.csv', listOf(30, 'closed'));
  const args = ['enrich', 'closed.csv', '-o', 'closed-out.csv'];
  const run = open(args, settingsOf(source));
  await untilCalled(source, 8);
  run.hangUp();
  await vi.waitUntil(() => !run.isRunning(), { timeout: waitMsMax });
  const done = await cli().runApart(args, { environment: settingsOf(source) });
  expect(done.exitCode).toBe(0);
  expect(source.log).toHaveLength(30);
});
