import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { listedFile, useListings } from '../support/pty/listing-fixture.ts';
import { hasUsualPaths, maskVolatile } from '../support/pty/mask-volatile.ts';
import {
  expectFits,
  expectPlain,
  plainTerminals,
  terminalsOf,
  type TerminalForm,
} from '../support/pty/fitting.ts';
import type { EndedTerminal } from '../support/pty/terminal.ts';

const { cli, listed } = useListings();

const open = terminalsOf(cli);
const run = (args: readonly string[], terminal: TerminalForm) => open(args, terminal).ended();

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
/** Commands with commands below them. */
const groups = createProgram({ stdout: nowhere, stderr: nowhere }, () => Promise.resolve())
  .commands.filter(({ commands }) => commands.length > 0)
  .map((command) => command.name());

/** A command that prints a table, a text or progress. */
interface Listing {
  /** Name of its snapshots. */
  readonly name: string;
  readonly args: () => readonly string[];
  /** What it prints is the same in every run, once ids and times are masked; `with paths`: where paths have the usual length. */
  readonly isSame: boolean | 'with paths';
}

const same = (name: string, args: () => readonly string[]): Listing => ({ name, args, isSame: true });
const withPaths = (name: string, args: () => readonly string[]): Listing => ({
  name,
  args,
  isSame: 'with paths',
});
const changing = (name: string, args: () => readonly string[]): Listing => ({ name, args, isSame: false });

const listings: readonly Listing[] = [
  same('help', () => ['--help']),
  same('help-export', () => ['export', '--help']),
  same('help-enrich', () => ['enrich', '--help']),
  ...groups.map((group) => same(`help-${group}`, () => [group, '--help'])),
  same('status', () => ['status']),
  same('status-batch', () => ['status', listed().batch]),
  same('check', () => ['check', listedFile]),
  same('sql', () => ['sql', 'select company_key, outcome, credits from reports.lookups order by 1, 2']),
  changing('sql-wide', () => ['sql', 'select * from reports.batches']),
  same('sql-views', () => ['sql', '--views']),
  same('schedule', () => ['schedule', 'list']),
  changing('schedule-show', () => ['schedule', 'show', 'rivals of every region']),
  changing('schedule-next', () => ['schedule', 'next', 'rivals of every region']),
  same('schedule-scans', () => ['schedule', 'scans', 'rivals of every region']),
  changing('changes', () => ['changes', '--all']),
  same('accounts', () => ['accounts']),
  same('accounts-limits', () => ['accounts', 'limits', 'default']),
  same('keys', () => ['keys']),
  same('users', () => ['users']),
  same('companies', () => ['companies']),
  changing('lists', () => ['lists']),
  same('opt-outs', () => ['opt-outs']),
  same('validate', () => ['validate', '--syntax-only', 'jane.of.the.whole.western.region@gmial.com']),
  withPaths('destination', () => ['destination']),
  withPaths('destination-show', () => ['destination', 'show', 'lake of every region']),
  withPaths('destination-landings', () => ['destination', 'landings', 'lake of every region']),
  withPaths('inbox', () => ['inbox']),
  withPaths('inbox-show', () => ['inbox', 'show', 'lists of every region']),
  withPaths('inbox-files', () => ['inbox', 'files', 'lists of every region']),
  changing('webhook', () => ['webhook', 'list']),
  changing('webhook-deliveries', () => ['webhook', 'deliveries', 'customer-relations']),
  same('credits', () => ['credits']),
  same('prices', () => ['prices']),
  same('audit', () => ['audit']),
  same('sources', () => ['sources']),
  same('purge', () => ['purge', '--dry-run', '--older-than', '365d']),
  changing('verify', () => ['verify']),
  changing('config', () => ['config']),
  changing('doctor', () => ['doctor']),
];

describe.each(listings)('$name', ({ name, args, isSame }) => {
  const snapshotOf = (columns: number) => `snapshots/${name}/${columns}.txt`;
  const isCompared = isSame === true || (isSame === 'with paths' && hasUsualPaths());
  const masked = ({ lines }: EndedTerminal) => maskVolatile(lines, cli().folder);

  test.concurrent.for([120, 80, 40])('fits in %d columns', async (columns, { expect: own }) => {
    const ended = await run(args(), { columns });
    expectFits(ended, name, columns);
    if (isCompared) await own(masked(ended)).toMatchFileSnapshot(snapshotOf(columns));
  });

  test.concurrent.for(plainTerminals)('is the same in $kind', async (terminal, { expect: own }) => {
    const ended = await run(args(), terminal);
    expectFits(ended, name, 80);
    expectPlain(ended, terminal);
    if (isCompared) await own(masked(ended)).toMatchFileSnapshot(snapshotOf(80));
  });
});

describe('in a terminal of 80 columns', () => {
  const terminal = { columns: 80 };

  test('status keeps batch, state, found and credits, and says what it hides', async () => {
    const { text } = await run(['status'], terminal);
    expect(text).toMatch(/│ batch +│.*│? state +│.*│? found +│.*│? credits +│/);
    expect(text).toContain(listed().batch);
    expect(text).toContain(listed().started);
    expect(text).toMatch(/\d columns are hidden\. Widen the terminal, or use --json\./);
  });

  test('files of an inbox have the reason of a failed one', async () => {
    const { text } = await run(['inbox', 'files', 'lists of every region', '--state', 'failed'], terminal);
    expect(text.replace(/[│\s]+/g, ' ')).toContain('Columns of the file: "colour", "size"');
  });

  test('webhook list has the last error', async () => {
    const { lines } = await run(['webhook', 'list'], terminal);
    expect(lines.join(' ')).toMatch(/pending +│ dead.*Last error of customer-relations: 127\.0\.0\.1:9/);
  });
});
