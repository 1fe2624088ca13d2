import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

type Line = Readonly<Record<string, string>>;

/** Companies with and without sample ads, duplicates in several spellings, and rows without a company. */
const text = [
  'id,company,website',
  '1,Nike,nike.com',
  '2,"Nike, Inc.",https://www.nike.com/running?x=1',
  '3,Nobody We Know Ltd,nobody-we-know.com',
  '4,Spotify,',
  '5,SPOTIFY,',
  '6,,',
  '7,-,n/a',
  '8,IKEA,not a domain',
  '9,,192.0.2.7',
  '10,Nike,',
  '11,too,many,cells',
  '12,too few',
  '13,,NIKE.com',
].join('\n');

describe('invariants of an export', () => {
  const cli = useTestCli({ inProcess: true });
  let lines: readonly Line[];
  let summary: {
    readonly lookups: Readonly<Record<string, number>>;
    readonly credits: { readonly charged: number };
  };

  beforeAll(async () => {
    cli().write('odd.csv', text);
    summary = (await cli().ask([
      'enrich',
      'odd.csv',
      '--source',
      'sample',
      '-o',
      'odd-out.csv',
    ])) as typeof summary;
    lines = parse(cli().read('odd-out.csv'), { columns: true });
  });

  const lineOf = (id: number) => lines.find((line) => line['id'] === String(id)) ?? {};

  test('has every row once, in order, with a result or a reason', () => {
    expect(lines.map((line) => line['id'])).toEqual(Array.from({ length: 13 }, (_, i) => String(i + 1)));
    for (const line of lines) {
      const outcome = line['ads_outcome'] ?? '';
      expect(['found', 'none', 'no_match', 'rejected']).toContain(outcome);
      if (outcome === 'rejected') expect(line['ads_reason']).not.toBe('');
    }
  });

  test('charges the prices of the outcomes', () => {
    const charges = lines.map((line) => Number(line['ads_credits_consumed']));
    expect(tenths(charges)).toBe(2 * (summary.lookups['found'] ?? 0));
    expect(tenths([summary.credits.charged])).toBe(tenths(charges));
    for (const line of lines) {
      if (line['ads_credits_consumed'] !== '0')
        expect(line).toMatchObject({ ads_outcome: 'found', ads_credits_consumed: '0.2' });
      expect(Number(line['ads_count']) > 0).toBe(line['ads_outcome'] === 'found');
    }
  });

  test.each([
    { title: 'a domain in three spellings', rows: [1, 2, 13] },
    { title: 'a name in two spellings', rows: [4, 5] },
  ])('$title is one company: charged once, on its first row', ({ rows }) => {
    const same = rows.map(lineOf);
    expect(same.map((line) => line['ads_credits_consumed'])).toEqual([
      '0.2',
      ...rows.slice(1).map(() => '0'),
    ]);
    expect(new Set(same.map((line) => `${line['ads_outcome']} ${line['ads_count']}`)).size).toBe(1);
  });

  test('an invalid domain with a valid name is searched by name, with a warning', () => {
    expect(lineOf(8)).toMatchObject({
      ads_outcome: 'found',
      ads_warning: expect.stringContaining('searched by the name') as unknown,
    });
  });

  test.each([
    { row: 6, line: 7, reason: 'no company domain and no company name' },
    { row: 7, line: 8, reason: 'no company domain and no company name' },
    { row: 9, line: 10, reason: 'IP address' },
    { row: 11, line: 12, reason: 'too many fields' },
    { row: 12, line: 13, reason: 'too few fields' },
  ])('row $row is rejected with its reason', ({ row, reason }) => {
    expect(lineOf(row)).toMatchObject({ ads_outcome: 'rejected', ads_credits_consumed: '0' });
    expect(lineOf(row)['ads_reason']).toContain(reason);
  });

  test('check lists the same rejected rows by line', async () => {
    const found = (await cli().ask(['check', 'odd.csv'], { exitCode: 1 })) as {
      rejected: readonly { line_no: number; text: string }[];
    };
    expect(found.rejected.map(({ line_no: lineNo }) => lineNo)).toEqual([7, 8, 10, 12, 13]);
    const { stdout } = await cli().run(['check', 'odd.csv']);
    expect(stdout).toContain('line 10: ');
  });

  test('SQL has the line number of a rejected row', async () => {
    const rows = await cli().ask([
      'sql',
      "select line_no from reports.rows where outcome = 'rejected' order by 1",
    ]);
    expect(rows).toEqual([7, 8, 10, 12, 13].map((line) => ({ line_no: line })));
  });

  test('verify finds no broken invariant', async () => {
    expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
  });
});

function tenths(credits: readonly number[]): number {
  return credits.reduce((sum, each) => sum + Math.round(each * 10), 0);
}
