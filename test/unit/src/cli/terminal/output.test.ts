import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createOutput, formatTable, type OutputOptions } from '../../../../../src/cli/terminal/output.ts';

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

describe('a table', () => {
  test('formats every type of a query result', () => {
    const table = formatTable(
      ['text', 'nothing', 'number', 'day', 'list'],
      [['nike', null, 12n, new Date(0), ['a', 1]]],
    );
    for (const shown of ['text', 'nike', '12', '1970-01-01T00:00:00.000Z', '["a",1]'])
      expect(table).toContain(shown);
    expect(table).not.toContain('null');
  });

  test('has one line per row, in order', () => {
    const lines = formatTable(['n'], [[1], [2], [3]]).split('\n');
    const places = ['1', '2', '3'].map((n) => lines.findIndex((line) => line.includes(n)));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
});

interface Given {
  readonly isJson?: boolean;
  readonly stdoutIsTty?: boolean;
  readonly stderrIsTty?: boolean;
  readonly environment?: OutputOptions['environment'];
}

function openOutput({ isJson = false, stdoutIsTty = false, stderrIsTty = false, environment = {} }: Given) {
  const [stdout, stderr] = [createSink(stdoutIsTty), createSink(stderrIsTty)];
  return { output: createOutput({ isJson, stdout, stderr, environment }), stdout, stderr };
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

describe('a table', () => {
  const rows = [['1', 'Every row of a batch is stored once, in order', 60]];

  test('keeps each cell in one line if the table fits', () => {
    expect(formatTable(['', 'invariant', 'checked'], rows).split('\n')).toHaveLength(5);
  });

  test.each([40, 50, 60])('fits a terminal of %i columns, without losing text', (columns) => {
    const lines = formatTable(['', 'invariant', 'checked'], rows, columns).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    const words = lines
      .join(' ')
      .replace(/[^\w, ]/g, ' ')
      .replace(/\s+/g, ' ');
    for (const word of rows[0]?.[1]?.toString().split(' ') ?? []) expect(words).toContain(word);
  });
});
