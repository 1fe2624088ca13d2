import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createOutput, type OutputOptions } from '../../../../../src/cli/terminal/output.ts';

describe('with --json', () => {
  test('stdout is one JSON document, and stderr is empty', () => {
    const { output, stdout, stderr } = openOutput({ isJson: true });
    output.note('Loading …');
    output.result({ batch: 'bat_1', credits: 0.2, rows: 7n }, () => 'text for people');
    expect(JSON.parse(stdout.text())).toEqual({ batch: 'bat_1', credits: 0.2, rows: 7 });
    expect(stderr.text()).toBe('');
  });

  test('the text is not formatted', () => {
    const { output } = openOutput({ isJson: true });
    expect(() =>
      output.result({}, () => {
        throw new Error('made');
      }),
    ).not.toThrow();
  });
});

describe('without --json', () => {
  test('stdout has the result only, and messages go to stderr', () => {
    const { output, stdout, stderr } = openOutput({ isJson: false });
    output.note('Loading …');
    output.result({ batch: 'bat_1' }, () => 'bat_1');
    expect([stdout.text(), stderr.text()]).toEqual(['bat_1\n', 'Loading …\n']);
  });
});

describe('commands in messages', () => {
  const underNpx = (text: string) => text.replaceAll('nightshift', 'npx nightshift');

  test('messages, errors and hints name the command that starts this process', () => {
    const { output, stdout, stderr } = openOutput({ commands: underNpx });
    output.note('Follow it with: nightshift watch bat_1');
    output.error('Error: `nightshift schedule list` lists them.');
    output.result({}, () => output.commands('No schedules yet. Add one with: nightshift schedule add'));
    expect([stdout.text(), stderr.text()]).toEqual([
      'No schedules yet. Add one with: npx nightshift schedule add\n',
      'Follow it with: npx nightshift watch bat_1\nError: `npx nightshift schedule list` lists them.\n',
    ]);
  });

  test('data of a result stays as it is', () => {
    const { output, stdout } = openOutput({ commands: underNpx });
    output.result({}, () => 'headline: nightshift watch');
    expect(stdout.text()).toBe('headline: nightshift watch\n');
  });
});

describe('colours and progress', () => {
  const terminal = { stdoutIsTty: true, stderrIsTty: true };

  test.each<[string, Given, boolean, boolean]>([
    ['a terminal', terminal, true, true],
    ['a terminal with NO_COLOR', { ...terminal, environment: { NO_COLOR: '1' } }, false, true],
    ['a terminal with an empty NO_COLOR', { ...terminal, environment: { NO_COLOR: '' } }, true, true],
    ['a dumb terminal', { ...terminal, environment: { TERM: 'dumb' } }, false, false],
    ['a terminal of a CI', { ...terminal, environment: { CI: 'true' } }, true, false],
    ['a pipe for the result', { stdoutIsTty: false, stderrIsTty: true }, false, true],
    ['a pipe for the messages', { stdoutIsTty: true, stderrIsTty: false }, false, false],
    ['no terminal', {}, false, false],
  ])('are enabled or disabled for %s', (_, given, hasColours, isInteractive) => {
    const { output } = openOutput(given);
    expect(output.colors.red('x') !== 'x').toBe(hasColours);
    expect(output.isInteractive).toBe(isInteractive);
  });
});

interface Given {
  readonly isJson?: boolean;
  readonly commands?: (text: string) => string;
  readonly stdoutIsTty?: boolean;
  readonly stderrIsTty?: boolean;
  readonly environment?: OutputOptions['environment'];
}

function openOutput({
  isJson = false,
  commands = (text) => text,
  stdoutIsTty = false,
  stderrIsTty = false,
  environment = {},
}: Given) {
  const [stdout, stderr] = [createSink(stdoutIsTty), createSink(stderrIsTty)];
  return { output: createOutput({ isJson, commands, stdout, stderr, environment }), stdout, stderr };
}

/** Stream that stores its output. */
function createSink(isTTY: boolean) {
  let written = '';
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk);
      done();
    },
  });
  return Object.assign(sink, { isTTY, text: () => written });
}
