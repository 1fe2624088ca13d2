import { parse } from 'csv-parse/sync';
import { describe, expect, inject, test } from 'vitest';
import { readConstituents } from '../../support/cli/constituents.ts';
import { useTestCli, type TestCli } from '../../support/cli/test-cli.ts';

/** Output of `enrich --json`: the batch and the file. */
interface Enriched {
  readonly id: string;
  readonly state: string;
  readonly rows: { readonly total: number; readonly rejected: number };
  readonly lookups: Readonly<Record<string, number>>;
  readonly credits: { readonly charged: number; readonly ceiling: number };
  readonly output: string | null;
}

/** Opening credits of the account. */
const grants = 10_000;
const list = readConstituents();
const command = ['enrich', 'list.csv', '--map', 'company_name=Security', '--source', 'sample'];

describe.each(['postgres', 'redis'] as const)('file of companies, with the queue on %s', (queue) => {
  const title = queue === 'redis' && inject('redisUrl') === null ? ' (not run: no Redis)' : '';
  describe.skipIf(title !== '')(`enriched${title}`, () => testEnrich(queue));
});

function testEnrich(queue: 'postgres' | 'redis'): void {
  const cli = useTestCli({ queue, inProcess: true });
  let first: Enriched;
  let firstBytes: string;

  /** Enriches a file in a separate process, as users do. Later queries run in this process. */
  async function enrich(...more: readonly string[]): Promise<Enriched> {
    const ended = await cli().start([...command, '-o', 'out.csv', ...more, '--json']).ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    return JSON.parse(ended.stdout) as Enriched;
  }

  test(`${list.title}: as many rows come out as went in, in the same order, with all their columns`, async () => {
    cli().write('list.csv', list.text);
    first = await enrich();
    firstBytes = cli().read('out.csv');
    expect(first).toMatchObject({
      state: 'finished',
      rows: { total: list.rows, rejected: 0 },
      output: 'out.csv',
    });
    const input = cellsOf(list.text);
    const output = cellsOf(firstBytes);
    expect(output.map((cells) => cells.slice(0, input[0]?.length))).toEqual(input);
    expect(output.length).toBe(list.rows + 1);
  });

  test('outcomes add up, and each company with ads costs 0.2 credits', () => {
    const { total = 0, ...outcomes } = first.lookups;
    expect(outcomes['found']).toBeGreaterThan(0);
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(total);
    expect(first.credits).toEqual({ charged: cost(outcomes['found']), ceiling: cost(total) });
  });

  test('status shows the same without the file', async () => {
    const { output, ...status } = first;
    expect(output).toBe('out.csv');
    expect(await cli().ask(['status', first.id])).toEqual(status);
  });

  test('balance and reserved credits match the grants and the charges', async () => {
    expect(await cli().ask(['credits'])).toEqual({
      account: 'default',
      balance: grants - cost(first.lookups['found']),
      held: 0,
    });
  });

  test('the same command uses the same batch, charges nothing and writes the same bytes', async () => {
    expect(await enrich()).toEqual(first);
    expect(cli().read('out.csv')).toBe(firstBytes);
    expect(await spent(cli())).toBe(cost(first.lookups['found']));
  });

  test('--again creates a new batch, charged again', async () => {
    const again = await enrich('--again');
    expect(again.id).not.toBe(first.id);
    const { rows, lookups, credits } = first;
    expect(again).toMatchObject({ state: 'finished', rows, lookups, credits });
    expect(cli().read('out.csv')).toBe(firstBytes);
    expect(await spent(cli())).toBe(cost(2 * (first.lookups['found'] ?? 0)));
  });

  test('verify finds no broken invariant', async () => {
    expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
  });
}

function cellsOf(text: string): readonly (readonly string[])[] {
  return parse(text, { bom: true });
}

function cost(finds = 0): number {
  return (2 * finds) / 10;
}

async function spent(cli: TestCli): Promise<number> {
  const { balance, held } = (await cli.ask(['credits'])) as { balance: number; held: number };
  return Math.round((grants - balance - held) * 10) / 10;
}
