import { expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

/** No server listens there: the command must not need one. */
const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' };

const nike = { company_name: 'Nike', company_domain: 'nike.com' };

function linesOf(text: string): readonly Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('companies match evaluates each line in order, without a database', async () => {
  const pairs = [
    { id: 7, ...nike, advertiser_name: 'Nike Retail BV', found_by: 'domain' },
    {
      ...nike,
      advertiser_name: 'NIKE SRL',
      found_by: 'name',
      advertiser_location: 'IT',
      advertiser_verified: null,
    },
    {
      company_name: 'Toyota',
      company_domain: 'https://www.toyota.com/us',
      advertiser_name: 'Toyota of Orlando',
    },
    { company_name: null, company_domain: null, advertiser_name: null, found_by: null },
  ];
  const input = pairs.map((pair) => JSON.stringify(pair)).join('\r\n\n');
  const { exitCode, stdout, stderr } = await cli().runApart(['companies', 'match', '--ndjson'], {
    environment,
    input,
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  const answers = linesOf(stdout);
  expect(answers.map(({ id, relation }) => [id, relation])).toEqual([
    [7, 'own'],
    [undefined, 'unknown'],
    [undefined, 'third_party'],
    [undefined, 'unknown'],
  ]);
  for (const { confidence, reasons } of answers) {
    expect(confidence).toBeGreaterThan(0);
    expect(reasons).not.toEqual([]);
  }
  expect(Object.keys(answers[1] ?? {})).toEqual(['relation', 'confidence', 'reasons']);
});

test('companies match reports an invalid line with its number, evaluates the others and exits with 1', async () => {
  const input = [
    JSON.stringify({ ...nike, advertiser_name: 'Nike Retail BV' }),
    'Nike Retail BV',
    JSON.stringify({ ...nike, advertiser_name: 5 }),
    '[]',
    JSON.stringify({ ...nike, found_by: 'luck' }),
    JSON.stringify({ ...nike, advertiser_name: 'Nike Polska Sp. z o.o.' }),
  ].join('\n');
  const { exitCode, stdout, stderr } = await cli().run(['companies', 'match', '--ndjson'], {
    environment,
    input,
  });
  expect(exitCode).toBe(1);
  expect(linesOf(stdout).map(({ line, relation }) => line ?? relation)).toEqual(['own', 2, 3, 4, 5, 'own']);
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^Line 2: not a JSON object, such as .*\.$/),
    'Line 3: "advertiser_name" is not a string or null.',
    expect.stringMatching(/^Line 4: not a JSON object/),
    'Line 5: "found_by" is not "domain" or "name".',
  ]);
});

test('companies match without --ndjson exits with 2 and says how to use it', async () => {
  const { exitCode, stderr } = await cli().run(['companies', 'match'], { environment });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Use --ndjson');
});
