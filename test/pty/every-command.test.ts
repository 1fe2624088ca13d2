import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { useTestCli } from '../support/cli/test-cli.ts';
import type { NightshiftProcess } from '../support/cli/nightshift-process.ts';
import { openTerminal, type EndedTerminal } from '../support/pty/terminal.ts';

const cli = useTestCli();

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
/** Every command, by its arguments. */
const commands = leaves(
  createProgram({ stdout: nowhere, stderr: nowhere }, () => Promise.resolve()),
  [],
);

function leaves(command: Command, words: readonly string[]): readonly (readonly string[])[] {
  const below = command.commands.flatMap((each) => leaves(each, [...words, each.name()]));
  return words.length === 0 ? below : [words, ...below];
}

function run(args: readonly string[]): Promise<EndedTerminal> {
  const { folder, environment } = cli();
  return openTerminal(args, { folder, environment, columns: 80 }).ended();
}

describe('in a terminal of 80 columns', () => {
  test('the list of commands is complete', () => {
    expect(commands.length).toBeGreaterThan(60);
    expect(commands).toContainEqual(['webhook', 'add']);
  });

  test.concurrent.each(commands.map((words) => ({ words })))(
    '`nightshift $words` with an unknown option ends with one error and exit code 2',
    async ({ words }) => {
      const ended = await run([...words, '--no-such-option']);
      expect(ended).toMatchObject({ exitCode: 2, tooWide: [], modesLost: [], isCursorVisible: true });
      expect(ended.text).toMatch(/unknown option|missing required argument|required option|unknown command/);
    },
  );
});

/** Commands that only read, with their arguments. */
const looking: readonly (readonly string[])[] = [
  ['status'],
  ['sql', 'select 1'],
  ['search', '--domain', 'nike.com', '--source', 'sample'],
  ['schedule'],
  ['changes'],
  ['accounts'],
  ['keys'],
  ['report-links'],
  ['users'],
  ['companies'],
  ['companies', 'review'],
  ['lists'],
  ['opt-outs'],
  ['destination'],
  ['webhook'],
  ['credits'],
  ['prices'],
  ['audit'],
  ['sources'],
  ['purge', '--dry-run', '--older-than', '365d'],
  ['verify'],
  ['doctor'],
  ['migrate'],
  ['config'],
];

describe('beside a running `up`, in a terminal of 80 columns', () => {
  let server: NightshiftProcess;
  beforeAll(async () => {
    server = cli().start(['up']);
    await server.waitForOutput('Press Ctrl-C to stop');
  });
  afterAll(async () => {
    await server.stop();
  });

  test.concurrent.each(looking.map((args) => ({ args })))(
    '`nightshift $args` ends and restores the terminal',
    async ({ args }) => {
      const ended = await run(args);
      expect(ended).toMatchObject({ modesLost: [], isCursorVisible: true, controls: [] });
      // Exit code 1 of `doctor` is a finding.
      expect(args[0] === 'doctor' ? [0, 1] : [0]).toContain(ended.exitCode);
      expect(ended.lines.join('\n')).not.toMatch(/^ +at .*:\d+/m);
    },
  );
});
