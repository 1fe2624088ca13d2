import { describe, expect, onTestFinished, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { login, openDataForSeo, password } from '../../support/sources/dataforseo.ts';
import { openSerpapiStandIn } from '../../support/sources/serpapi.ts';

const cli = useTestCli({ inProcess: true, sample: false });
const list = 'company,domain\nAcme,acme.com\nOnly A Name,\nQuiet,quiet.com\nAgain,acme.com\n';

interface Checked {
  readonly vendors: readonly {
    readonly source: string;
    readonly cost: { readonly expected: number; readonly max: number } | null;
  }[];
}

describe('check', () => {
  test('shows the expected and the maximum cost at the named sources, by the price book', async () => {
    cli().write('list.csv', list);
    await cli().ask(['prices', 'source', 'serpapi', '0.015', '--currency', 'USD', '--unit', 'search']);
    const environment = { NIGHTSHIFT_SERPAPI_KEY: 'secret', NIGHTSHIFT_SERPAPI_PAGES_MAX: '4' };
    const args = [
      'check',
      'list.csv',
      '--source',
      'serpapi,dataforseo,snapshot,transparency,bigquery,mapped',
    ];
    const found = await cli().ask(args, { environment });
    expect(found).toMatchObject({
      companies: 3,
      credits: { ceiling: 0.6 },
      vendors: [
        {
          source: 'serpapi',
          currency: 'USD',
          price: '0.015',
          price_from: 'price_book',
          cost: { expected: 0.045, max: 0.18 },
        },
        { source: 'dataforseo', currency: 'USD', price: '0.002', cost: { expected: 0.006, max: 0.024 } },
        { source: 'bigquery', currency: 'USD', cost: { expected: 0.274658, max: 0.610352 } },
        { source: 'mapped', price: null, cost: null },
      ],
    });
    const { stdout } = await cli().run(args, { environment });
    expect(stdout).toContain(
      'At serpapi about 0.045 USD, at most 0.18 (0.015 USD for each search, by the price book)',
    );
    expect(stdout).toContain('At mapped  not known: set the price with `nightshift prices source mapped');
  });

  test('shows list prices offline for the sources of the settings, and nothing without any', async () => {
    cli().write('list.csv', list);
    const offline = { DATABASE_URL: 'postgres://nightshift@127.0.0.1:1/none' };
    const environment = { ...offline, NIGHTSHIFT_SOURCES: 'snapshot,serpapi' };
    expect(await cli().ask(['check', 'list.csv'], { environment })).toMatchObject({
      vendors: [
        { source: 'serpapi', currency: 'searches', price_from: 'list_price', cost: { expected: 3, max: 6 } },
      ],
    });
    expect(await cli().ask(['check', 'list.csv'], { environment: offline })).toMatchObject({
      vendors: [],
    });
  });

  test('names the known sources for an unknown one', async () => {
    cli().write('list.csv', list);
    const { exitCode, stderr } = await cli().run(['check', 'list.csv', '--source', 'nothing']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('nothing');
  });
});

test.each(['serpapi', 'dataforseo'])('the cost of a batch at %s is within the estimate', async (source) => {
  const key = 'secret';
  const [serpapi, dataforseo] = [
    await openSerpapiStandIn({ key, rowsPerPage: 2, isSpent: false }),
    await openDataForSeo({ ads: () => [], candidates: () => null }),
  ];
  onTestFinished(async () => {
    await serpapi.close();
    await dataforseo.close();
  });
  const environment = {
    NIGHTSHIFT_SERPAPI_KEY: key,
    NIGHTSHIFT_SERPAPI_URL: serpapi.url,
    NIGHTSHIFT_SERPAPI_REQUESTS_PER_SECOND: '1000',
    NIGHTSHIFT_DATAFORSEO_LOGIN: login,
    NIGHTSHIFT_DATAFORSEO_PASSWORD: password,
    NIGHTSHIFT_DATAFORSEO_URL: dataforseo.url,
  };
  cli().write(`${source}.csv`, list);
  await cli().ask(['prices', 'source', 'serpapi', '1', '--currency', 'searches', '--unit', 'search']);
  const checked = (await cli().ask(['check', `${source}.csv`, '--source', source], {
    environment,
  })) as Checked;
  const { stderr } = await cli().run(['enrich', `${source}.csv`, '--source', source, '-o', '-'], {
    environment,
  });
  const bill = (await cli().ask(['audit'], { environment })) as {
    readonly sources: readonly { readonly source: string; readonly expected: number }[];
  };
  const cost = Number(bill.sources.find((line) => line.source === source)?.expected);
  expect(cost, stderr).toBeGreaterThan(0);
  expect(cost).toBeLessThanOrEqual(checked.vendors[0]?.cost?.max ?? 0);
});
