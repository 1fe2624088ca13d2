import { beforeAll, describe, expect, test } from 'vitest';
import { useTestCli } from '../support/cli/test-cli.ts';
import { openTerminal, type EndedTerminal } from '../support/pty/terminal.ts';

const cli = useTestCli();

/** Arguments, each with a part of the expected error. */
const wrong: readonly (readonly [args: readonly string[], error: string])[] = [
  [['enrich', 'companies.csv'], 'No ad source is configured'],
  [['enrich', 'companies.csv', '--source', 'sampel'], 'Error: Unknown source "sampel". Did you mean sample?'],
  [['enrich', 'companies.csv', '--source', 'sample', '--map', 'company_name=Firma'], 'Firma'],
  [['enrich', 'words.txt', '--source', 'sample'], 'words.txt'],
  [['enrich', 'binary', '--source', 'sample'], 'binary'],
  [['enrich', 'nofile.csv', '--source', 'sample'], 'nofile.csv: no such file, or permission denied.'],
  [['load', 'companies.csv', '--source', 'sampel'], 'Unknown source "sampel"'],
  [['snapshot', 'load', 'nofile.ndjson'], 'nofile.ndjson'],
  [['snapshot', 'load', 'words.txt'], 'words.txt'],
  [['statsu'], "Error: unknown command 'statsu' (Did you mean status?)"],
  [['status', '--nope'], "Error: unknown option '--nope'"],
  [
    ['watch', 'bat_00000000000000000000000000000000'],
    'Error: There is no batch bat_00000000000000000000000000000000. `npx nightshift status`',
  ],
  [['export', 'bat_00000000000000000000000000000000', '-o', 'out.csv'], 'There is no batch'],
];

beforeAll(() => {
  cli().write('companies.csv', 'domain\nnike.com\n');
  cli().write('words.txt', 'just some words\nand more of them\n');
  cli().write(
    'binary',
    new Uint8Array(5000).map((_, i) => (i * 7919) % 251),
  );
});

function run(args: readonly string[], columns: number): Promise<EndedTerminal> {
  const { folder, environment } = cli();
  return openTerminal(args, { folder, environment, columns }).ended();
}

describe.each([80, 120])('in a terminal of %i columns', (columns) => {
  test.concurrent.each(wrong)('`nightshift %j` ends with one error and exit code 2', async (args, error) => {
    const ended = await run(args, columns);
    expect(ended.text.replace(/\s+/g, ' ')).toContain(error);
    expect(ended).toMatchObject({ exitCode: 2, tooWide: [], modesLost: [], isCursorVisible: true });
    // Neither a progress line nor a stack is left.
    expect(ended.lines.filter((line) => /Loading|Enriching|^ +at /.test(line))).toEqual([]);
  });
});
