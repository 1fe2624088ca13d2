import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NightshiftProcess } from '../support/cli/nightshift-process.ts';
import { useTestCli } from '../support/cli/test-cli.ts';
import { openTerminal, type EndedTerminal } from '../support/pty/terminal.ts';

const cli = useTestCli({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' } });
const columns = 80;
/** Port on which nothing listens. */
const nowhere = 'http://127.0.0.1:9';

let batch: string;
let server: NightshiftProcess;
let started: string;

beforeAll(async () => {
  const longName = `companies of ${'every region '.repeat(4)}and quarter.csv`;
  cli().write(longName, 'company,website\nNike,nike.com\nNobody,no-ads.example\n,\n');
  const ask = (...args: string[]) => cli().ask(args);
  await ask('webhook', 'add', 'customer-relations', '--url', `${nowhere}/${'hooks/'.repeat(12)}in`);
  await ask(
    'destination',
    'add',
    'lake of every region',
    cli().folder,
    '--shape',
    'rows,ads',
    '--format',
    'csv',
  );
  mkdirSync(join(cli().folder, 'incoming'));
  cli().write('incoming/companies of the whole western region.csv', 'company\nPuma\n');
  cli().write('incoming/colours-of-the-whole-western-region.csv', 'colour,size\nblue,1\n');
  const incoming = join(cli().folder, 'incoming');
  await ask('inbox', 'add', 'lists of every region', incoming, '--settle', '0', '--source', 'sample');
  await ask('inbox', 'look', 'lists of every region');
  server = cli().start(['up']);
  await server.waitForOutput('Press Ctrl-C to stop');
  ({ id: batch } = (await ask('enrich', longName, '--source', 'sample', '-o', 'o.csv')) as { id: string });
  const rivals = ['--companies', longName, '--source', 'sample', '--tz', 'America/Argentina/Buenos_Aires'];
  await ask('schedule', 'add', 'rivals of every region', ...rivals, '--cron', '0 2 * * 1-5');
  ({ batch: started } = (await ask('schedule', 'run', 'rivals of every region')) as { batch: string });
  await server.waitForOutput('Scan of rivals of every region finished');
  await ask('accounts', 'add', 'sales of the whole western region');
  await ask('keys', 'create', '--name', 'reports of the whole western region');
  await ask('users', 'add', 'somebody.with.a.long.name@sales.example.com');
  await ask('companies', 'map', 'nike.com', 'AR16735076323512287233', '--note', 'checked with the customer');
  await ask('opt-outs', 'add', 'example.com', 'jane@example.org');
});

afterAll(async () => {
  await server.stop();
});

function run(args: readonly string[]): Promise<EndedTerminal> {
  const { folder, environment } = cli();
  return openTerminal(args, { folder, environment, columns }).ended();
}

describe(`listing in a terminal of ${columns} columns`, () => {
  const listings: readonly (() => readonly string[])[] = [
    () => ['status'],
    () => ['status', batch],
    () => ['sql', 'select * from reports.batches'],
    () => ['sql', 'select company_key, outcome, ads_count from reports.lookups'],
    () => ['search', '--domain', 'nike.com', '--source', 'sample'],
    () => ['schedule'],
    () => ['schedule', 'show', 'rivals of every region'],
    () => ['schedule', 'next', 'rivals of every region'],
    () => ['schedule', 'scans', 'rivals of every region'],
    () => ['changes', '--all'],
    () => ['accounts'],
    () => ['accounts', 'limits', 'default'],
    () => ['keys'],
    () => ['users'],
    () => ['companies'],
    () => ['lists'],
    () => ['opt-outs'],
    () => ['validate', '--syntax-only', 'jane.of.the.whole.western.region@gmial.com'],
    () => ['destination'],
    () => ['destination', 'show', 'lake of every region'],
    () => ['destination', 'landings', 'lake of every region'],
    () => ['inbox'],
    () => ['inbox', 'show', 'lists of every region'],
    () => ['inbox', 'files', 'lists of every region'],
    () => ['webhook'],
    () => ['webhook', 'deliveries', 'customer-relations'],
    () => ['credits'],
    () => ['prices'],
    () => ['audit'],
    () => ['sources'],
    () => ['purge', '--dry-run', '--older-than', '365d'],
    () => ['verify'],
    () => ['config'],
    () => ['doctor'],
  ];

  test.each(listings.map((argsOf) => ({ argsOf, name: String(argsOf).replace(/^\(\) => /, '') })))(
    'fits: $name',
    async ({ argsOf }) => {
      const { lines, tooWide, exitCode, controls } = await run(argsOf());
      expect(argsOf()[0] === 'doctor' ? [0, 1] : [0]).toContain(exitCode);
      expect(controls).toEqual([]);
      // A word, such as a URL or a path, is never cut.
      expect(tooWide.filter((line) => !/^ *\S+$/.test(line))).toEqual([]);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    },
  );

  test('status keeps batch, state, found and credits, and says what it hides', async () => {
    const { text } = await run(['status']);
    expect(text).toMatch(/│ batch +│.*│? state +│.*│? found +│.*│? credits +│/);
    expect(text).toContain(batch);
    expect(text).toContain(started);
    expect(text).toMatch(/\d columns are hidden\. Widen the terminal, or use --json\./);
  });

  test('files of an inbox have the reason of a failed one', async () => {
    const { text } = await run(['inbox', 'files', 'lists of every region', '--state', 'failed']);
    expect(text.replace(/[│\s]+/g, ' ')).toContain('Columns of the file: "colour", "size"');
  });

  test('webhook list has the last error', async () => {
    const { lines } = await run(['webhook', 'list']);
    expect(lines.join(' ')).toMatch(/pending +│ dead.*Last error of customer-relations: 127\.0\.0\.1:9/);
  });
});
