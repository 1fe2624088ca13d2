import { describe, expect, onTestFinished, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { login, openDataForSeo, password } from '../../support/sources/dataforseo.ts';

const cli = useTestCli({ inProcess: true, sample: false });

/** DataForSEO without ads: each answer costs a unit of 0.002 USD, and may cost three. */
async function openVendor() {
  const standIn = await openDataForSeo({ ads: () => [], candidates: () => null });
  onTestFinished(standIn.close);
  const environment = {
    NIGHTSHIFT_DATAFORSEO_LOGIN: login,
    NIGHTSHIFT_DATAFORSEO_PASSWORD: password,
    NIGHTSHIFT_DATAFORSEO_URL: standIn.url,
    NIGHTSHIFT_DATAFORSEO_REQUESTS_PER_SECOND: '1000',
    NIGHTSHIFT_CONCURRENCY: '4',
  };
  return { standIn, environment };
}

const listOf = (name: string) =>
  `domain\n${Array.from({ length: 10 }, (_, i) => `${name}${i}.com\n`).join('')}`;
const enrich = (file: string, ...more: string[]) => [
  'enrich',
  file,
  '--source',
  'dataforseo',
  '-o',
  '-',
  ...more,
];

describe('--max-spend', () => {
  test('stops the calls of a batch before its cost passes the bound; a larger one continues it', async () => {
    const { standIn, environment } = await openVendor();
    cli().write('bounded.csv', listOf('bounded'));
    const stopped = await cli().run(enrich('bounded.csv', '--max-spend', '0.01USD'), { environment });
    expect(stopped.exitCode, stopped.stderr).toBe(3);
    expect(stopped.stderr).toContain('the budget of 0.01 USD for the calls of this batch is spent');
    expect(standIn.calls.length).toBeGreaterThan(0);
    expect(standIn.calls.length * 0.002).toBeLessThanOrEqual(0.01);
    const done = await cli().run(enrich('bounded.csv', '--max-spend', '0.05 USD'), { environment });
    expect(done.exitCode, done.stderr).toBe(0);
    expect(standIn.calls).toHaveLength(10);
  });

  test('is rejected in another currency than that of the price, before anything is loaded', async () => {
    const { standIn, environment } = await openVendor();
    cli().write('other.csv', listOf('other'));
    const { exitCode, stderr } = await cli().run(enrich('other.csv', '--max-spend', '5EUR'), { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      '--max-spend 5EUR: dataforseo has its price in USD, so that a bound in EUR cannot be held. ' +
        'Set the price: nightshift prices source dataforseo AMOUNT --currency EUR, or give the bound in USD.',
    );
    expect(standIn.calls).toEqual([]);
  });

  test.each(['5', 'USD', '-1USD', '0USD', '5$'])('%s is rejected as no amount', async (amount) => {
    cli().write('amount.csv', listOf('amount'));
    const { exitCode, stderr } = await cli().run(enrich('amount.csv', `--max-spend=${amount}`));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('such as --max-spend 5USD');
  });
});

describe('NIGHTSHIFT_MAX_SPEND_PER_DAY', () => {
  test.each(['NIGHTSHIFT_MAX_SPEND_PER_DAY', 'NIGHTSHIFT_DATAFORSEO_MAX_SPEND_PER_DAY'])(
    'as %s stops the calls of a day before their cost passes it',
    async (setting) => {
      const { standIn, environment } = await openVendor();
      const name = setting.length % 2 === 0 ? 'day' : 'source';
      cli().write(`${name}.csv`, listOf(name));
      const stopped = await cli().run(enrich(`${name}.csv`), {
        environment: { ...environment, [setting]: '0.012USD' },
      });
      expect(stopped.exitCode, stopped.stderr).toBe(3);
      expect(stopped.stderr).toContain('the daily budget of 0.012 USD at dataforseo is spent');
      expect(standIn.calls.length).toBeGreaterThan(0);
      expect(standIn.calls.length * 0.002).toBeLessThanOrEqual(0.012);
    },
  );

  test('is rejected with its remedy if it has no currency', async () => {
    const environment = { NIGHTSHIFT_MAX_SPEND_PER_DAY: '10' };
    const { exitCode, stderr } = await cli().run(['status'], { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('NIGHTSHIFT_MAX_SPEND_PER_DAY: must be an amount above 0 with the currency');
  });
});
