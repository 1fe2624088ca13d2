import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { ownEnvironment } from '../../support/cli/nightshift-process.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const cli = useTestCli({ inProcess: true, settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' } });
let batch: string;

beforeAll(async () => {
  cli().write('list.csv', 'company,website\nNike,nike.com\nn/a,\n');
  cli().write('mapping.csv', 'company,advertiser_id,role\nNike,AR1,allow\nApex,AR2,"\u001b[2J"\n');
  const args = ['enrich', 'list.csv', '--source', 'sample', '-o', 'out.csv'];
  ({ id: batch } = (await cli().ask(args)) as { id: string });
});

const pattern = ['--cron', '0 2 * * 1-5', '--tz', 'Europe/Berlin'];
const scheduleAdd = [
  'schedule',
  'add',
  'rivals',
  '--companies',
  'list.csv',
  '--source',
  'sample',
  ...pattern,
];

/** Every command that ends without a signal, with its exit code; `isShort`: its text is at most a line or a table. */
const commands: readonly {
  readonly args: readonly string[];
  readonly exitCode?: number;
  readonly isShort?: boolean;
}[] = [
  { args: ['demo'] },
  { args: ['enrich', 'list.csv', '--source', 'sample', '-o', 'out.csv'] },
  { args: ['check', 'list.csv'], exitCode: 1 },
  { args: ['load', 'list.csv', '--source', 'sample'], isShort: true },
  { args: ['status'] },
  { args: ['status', 'BATCH'] },
  { args: ['watch', 'BATCH'], isShort: true },
  { args: ['export', 'BATCH', '-o', 'again.csv'] },
  { args: ['report', 'BATCH', '-o', 'report.html'] },
  { args: ['report-links'], isShort: true },
  { args: ['report-links', 'list', 'BATCH'], isShort: true },
  { args: ['search', '--name', 'Nike', '--source', 'sample'] },
  { args: ['sql', 'select * from reports.batches'] },
  { args: ['snapshot', 'load', '--sample'], isShort: true },
  { args: ['credits'], isShort: true },
  { args: ['credits', 'grant', '1', '--reason', 'test'], isShort: true },
  { args: ['credits', 'low', '50'], isShort: true },
  { args: ['destination', 'add', 'lake', '/tmp', '--batch', 'BATCH'] },
  { args: ['destination', 'list'] },
  { args: ['destination', 'show', 'lake'] },
  { args: ['destination', 'landings', 'lake'], isShort: true },
  { args: ['destination', 'replay', 'lake', '--dead'], isShort: true },
  { args: ['destination', 'test', 'lake'], isShort: true },
  { args: ['destination', 'edit', 'lake', '--shape', 'ads'] },
  { args: ['destination', 'disable', 'lake'], isShort: true },
  { args: ['destination', 'enable', 'lake'], isShort: true },
  { args: ['destination', 'remove', 'lake'], isShort: true },
  { args: ['webhook', 'add', 'hook', '--url', 'http://127.0.0.1:65000/'], isShort: true },
  { args: ['webhook', 'list'] },
  { args: ['webhook', 'test', 'hook'], exitCode: 1, isShort: true },
  { args: ['webhook', 'deliveries', 'hook'], isShort: true },
  { args: ['webhook', 'replay', 'hook', '--dead'], isShort: true },
  { args: ['webhook', 'rotate', 'hook'], isShort: true },
  { args: ['webhook', 'disable', 'hook'], isShort: true },
  { args: ['webhook', 'enable', 'hook'], isShort: true },
  { args: ['webhook', 'remove', 'hook'], isShort: true },
  { args: ['prices'], isShort: true },
  { args: ['sources'] },
  { args: ['audit'] },
  { args: scheduleAdd },
  { args: ['schedule'] },
  { args: ['schedule', 'list'] },
  { args: ['schedule', 'show', 'rivals'] },
  { args: ['schedule', 'next', 'rivals'], isShort: true },
  { args: ['schedule', 'edit', 'rivals', '--cron', '0 3 * * *'], isShort: true },
  { args: ['schedule', 'run', 'rivals'], isShort: true },
  { args: ['schedule', 'scans', 'rivals'] },
  { args: ['schedule', 'pause', 'rivals'], isShort: true },
  { args: ['schedule', 'resume', 'rivals'], isShort: true },
  { args: ['schedule', 'remove', 'rivals'], isShort: true },
  { args: ['changes'] },
  { args: ['lists'] },
  { args: ['companies', 'map', 'nike.com', 'AR00000000000000000001', '--note', 'asked them'], isShort: true },
  { args: ['companies'] },
  { args: ['companies', 'list'] },
  { args: ['companies', 'import', 'mapping.csv'], exitCode: 1 },
  { args: ['companies', 'remove', 'nike.com'], isShort: true },
  { args: ['opt-outs', 'add', 'private.com', 'shy@acme.com'], isShort: true },
  { args: ['opt-outs'] },
  { args: ['opt-outs', 'remove', 'private.com'], isShort: true },
  { args: ['erase', 'shy@acme.com'], isShort: true },
  { args: ['purge', '--older-than', '365d', '--dry-run'] },
  { args: ['purge', '--older-than', '365d'] },
  { args: ['verify'] },
  { args: ['migrate'], isShort: true },
  { args: ['config'] },
  // Postgres of the tests runs without fsync, which is a problem.
  { args: ['doctor'], exitCode: 1 },
  { args: ['stop'], isShort: true },
];

// eslint-disable-next-line no-control-regex -- the test searches for control characters
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** Values of the placeholders in arguments. */
function named(args: readonly string[]): readonly string[] {
  return args.map((arg) => (arg === 'BATCH' ? batch : arg));
}

/** First command of each name: a process of its own shows that it ends, and any output of Node. */
const firsts = new Set(new Map([...commands].reverse().map((each) => [each.args[0], each])).values());

describe('--json', () => {
  test.each(commands)('nightshift $args: stdout is one JSON document, and stderr is empty', async (each) => {
    const run = firsts.has(each) ? cli().runApart : cli().call;
    const { exitCode, stdout, stderr } = await run([...named(each.args), '--json']);
    expect(exitCode, stderr).toBe(each.exitCode ?? 0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
    expect(stderr).toBe('');
  });
});

describe('not on a terminal', () => {
  const long = commands.filter(({ isShort }) => isShort !== true);

  test.each(long)('nightshift $args: no control characters', async (each) => {
    const { exitCode, stdout, stderr } = await cli().call(named(each.args));
    expect(exitCode, stderr).toBe(each.exitCode ?? 0);
    expect(stdout + stderr).not.toMatch(control);
    expect(stdout).toMatch(/[^\n]\n$/);
  });
});

describe('on a terminal', () => {
  const hasScript = spawnSync('script', ['--version']).status === 0;
  const why = hasScript ? '' : ' (not run: there is no program `script`)';
  const escape = '\u001b[';

  /** Runs the command on a pseudo-terminal; the progress goes to it, and stdout to a file. */
  function onTerminal(environment: Record<string, string>, redirect: string): string {
    const bin = join(packageRoot, 'src', 'cli', 'nightshift.js');
    const command = `"${process.execPath}" "${bin}" demo ${redirect}`;
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: cli().folder,
      env: {
        ...ownEnvironment(),
        ...cli().environment,
        TERM: 'xterm',
        CI: undefined,
        NO_COLOR: undefined,
        ...environment,
      },
      encoding: 'utf8',
      timeout: waitMsMax,
    });
    return stdout;
  }

  test.skipIf(!hasScript)(`colours are there, and go with NO_COLOR and TERM=dumb${why}`, () => {
    expect(onTerminal({}, '')).toContain(`${escape}1m`);
    // The progress bar still moves the cursor.
    expect(onTerminal({ NO_COLOR: '1' }, '')).not.toMatch(new RegExp(`\\${escape}[\\d;]+m`));
    expect(onTerminal({ TERM: 'dumb' }, '')).not.toContain(escape);
  });

  test.skipIf(!hasScript)(`a result that goes to a file has no colours${why}`, () => {
    onTerminal({}, '>result.txt');
    expect(cli().read('result.txt')).toContain('Next steps');
    expect(cli().read('result.txt')).not.toContain(escape);
  });
});

describe('help and version', () => {
  test('each command lists its options, and the program its exit codes', async () => {
    const { exitCode, stdout } = await cli().runApart(['--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ {2}130 interrupted$/m);
    for (const name of new Set(commands.map(({ args }) => args[0] ?? ''))) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name}[ |]`, 'm'));
      const help = await cli().call([name, '--help']);
      expect(help.exitCode).toBe(0);
      expect(help.stdout).toContain(`Usage: nightshift ${name}`);
    }
    expect((await cli().call(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
