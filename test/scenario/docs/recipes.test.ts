import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { packageRoot } from '../../../src/package-root.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { codeBlocksOf, readDocument } from '../../support/docs/markdown.ts';

const guide = 'docs/guides/recipes.md';
const bin = join(packageRoot, 'src', 'cli', 'nightshift.js');

/** The only block of a language that matches. */
function blockOf(language: string, matching: RegExp): string {
  const found = codeBlocksOf(guide).filter(
    (block) => block.language === language && matching.test(block.text),
  );
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
}

describe('recipes for cron', () => {
  const cli = useTestCli();

  beforeAll(() => {
    const { folder, environment } = cli();
    // What cron does not pass on stands in the file `.env` of the folder.
    const settings = Object.entries({ ...environment, NIGHTSHIFT_SOURCES: 'sample' });
    cli().write('.env', settings.map(([name, value]) => `${name}='${String(value)}'\n`).join(''));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${bin}' "$@"\n`);
    chmodSync(join(folder, 'bin', 'npx'), 0o755);
    cli().write('companies.csv', 'company,website\nNike,nike.com\nNobody,no-ads.example\n');
  });

  /** Runs the last line of a crontab as cron does: with its variables, HOME, LOGNAME and SHELL, in `/bin/sh`. */
  function runLine(crontab: string): { readonly status: number | null; readonly output: string } {
    const { folder } = cli();
    const lines = crontab.trimEnd().split('\n');
    const command = /^(?:\S+ ){5}(.*)$/.exec(lines.at(-1) ?? '')?.[1] ?? '';
    // In a crontab, a percent sign is a line end.
    expect(command).toMatch(/^[^%]+$/);
    const own = lines
      .filter((line) => /^[A-Z]+=/.test(line))
      .map((line) => line.replace('/usr/local/bin', join(folder, 'bin')));
    const home = [`HOME=${folder}`, 'LOGNAME=nightshift', 'SHELL=/bin/sh'];
    const { status, stdout, stderr } = spawnSync(
      'env',
      ['-i', ...home, ...own, '/bin/sh', '-c', command.replaceAll('/srv/nightshift', folder)],
      { encoding: 'utf8', timeout: 60_000, cwd: '/' },
    );
    return { status, output: stdout + stderr };
  }

  test('the nightly line enriches the file, and its output is in the log', () => {
    const { status, output } = runLine(blockOf('text', /^0 2 \* \* \* /m));
    expect(
      [status, output],
      existsSync(join(cli().folder, 'nightly.log')) ? cli().read('nightly.log') : '',
    ).toEqual([0, '']);
    expect(existsSync(join(cli().folder, 'enriched.parquet'))).toBe(true);
    expect(cli().read('nightly.log')).toContain('enriched.parquet');
  });

  test('the script of increments exports every row once, in consecutive files', async () => {
    const { folder } = cli();
    cli().write('increment.sh', blockOf('sh', /^since=/m));
    const path = /^PATH=.*$/m.exec(readDocument(guide))?.[0] ?? '';
    const line = `${path}\n${blockOf('text', /increment\.sh/)}`;
    const rows = () =>
      readdirSync(folder)
        .filter((name) => /^ended-.*\.csv$/.test(name))
        .flatMap((name) => parse<Readonly<Record<string, string>>>(cli().read(name), { columns: true }))
        .map(({ batch, row }) => `${batch} ${row}`);
    await expect
      .poll(
        () => {
          expect(runLine(line)).toEqual({ status: 0, output: '' });
          return rows().length;
        },
        { timeout: 60_000, interval: 1000 },
      )
      .toBe(2);
    cli().write('more.csv', 'company\nAdidas\n');
    await cli().ask(['enrich', 'more.csv', '--source', 'sample', '-o', 'more-out.csv']);
    await expect
      .poll(
        () => {
          expect(runLine(line)).toEqual({ status: 0, output: '' });
          return rows().length;
        },
        { timeout: 60_000, interval: 1000 },
      )
      .toBe(3);
    expect(new Set(rows()).size).toBe(3);
    expect(cli().read('since.txt')).toMatch(/^\d{4}-.*Z\n$/);
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('recipes for other tools', () => {
  const cli = useTestCli({ inProcess: true, sample: false });

  test.skipIf(!hasPython)('the DAG of Airflow is Python', () => {
    const input = blockOf('python', /@dag/);
    const { status, stderr } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  test('the DAG of Airflow calls commands that exist, with options that they have', async () => {
    const calls = [...blockOf('python', /@dag/).matchAll(/npx nightshift (\w+)([^"]*)"/g)];
    expect(calls.map(([, command]) => command)).toEqual(['load', 'watch', 'export']);
    for (const [, command = '', rest = ''] of calls) {
      const { stdout } = await cli().run([command, '--help']);
      for (const [option] of rest.matchAll(/(?<= )--?[a-z]+/g)) expect(stdout).toContain(option);
    }
  });

  test('the sources of dbt are views', async () => {
    const { sources } = parseYaml(blockOf('yaml', /^sources:/m)) as {
      sources: { schema: string; tables: { name: string }[] }[];
    };
    const views = (await cli().ask(['sql', '--views'])) as readonly { readonly name: string }[];
    const names = new Set(views.map(({ name }) => name));
    const tables = sources.flatMap(({ schema, tables: each }) => each.map(({ name }) => `${schema}.${name}`));
    expect(tables.length).toBeGreaterThan(2);
    expect(tables.filter((name) => !names.has(name))).toEqual([]);
  });

  test('the schemas that Metabase shows exist', async () => {
    const text = readDocument(guide);
    const views = await cli().run(['sql', '--views']);
    for (const schema of ['reports']) {
      expect(text).toContain(`enter \`${schema}\``);
      expect(views.stdout).toContain(`${schema}.`);
    }
  });
});
