import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { liveSources, sourceIds } from '../../../src/sources/registry.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { openSourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { openAdyntelStandIn } from '../../support/sources/adyntel.ts';
import { openBigQueryStandIn } from '../../support/sources/bigquery.ts';
import { makeCreative } from '../../support/sources/creatives.ts';
import { login, openDataForSeo, password } from '../../support/sources/dataforseo.ts';
import { openSearchApi, key as searchApiKey } from '../../support/sources/searchapi.ts';
import { openSerpapiStandIn } from '../../support/sources/serpapi.ts';
import { openTransparencyStandIn } from '../../support/sources/transparency.ts';
import { vendorFixture } from '../../support/sources/vendor-fixture.ts';
import { renameKey } from '../../support/sources/wire-changes.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

const cli = useTestCli({ inProcess: true });

/** Closes a stand-in at the end of the test. */
function until<T extends { readonly close: () => Promise<void> }>(standIn: T): T {
  onTestFinished(standIn.close);
  return standIn;
}

async function openSerpapi() {
  const standIn = until(await openSerpapiStandIn({ key: 'secret', rowsPerPage: 25, isSpent: false }));
  const environment = {
    NIGHTSHIFT_SERPAPI_KEY: 'secret',
    NIGHTSHIFT_SERPAPI_URL: standIn.url,
    NIGHTSHIFT_SERPAPI_REQUESTS_PER_SECOND: '100',
  };
  return { standIn, environment };
}

interface Listed {
  readonly name: string;
  readonly configured: boolean;
  readonly lacks: string | null;
  readonly checked_shape: boolean | null;
  readonly checked_live: string | null;
  readonly live?: object;
}

interface BookedPrice {
  readonly source: string;
  readonly amount: number;
  readonly currency: string;
  readonly unit: string;
}

/** Output of `nightshift sources` for each source. */
async function list(environment: Environment = {}): Promise<readonly Listed[]> {
  return ((await cli().ask(['sources'], { environment })) as { sources: readonly Listed[] }).sources;
}

const smoke = (source: string) => ['sources', 'smoke', source, '--domain', 'acme.com'];

describe('sources', () => {
  test('lists every source with its configuration and its missing settings', async () => {
    const listed = await list({ NIGHTSHIFT_SERPAPI_KEY: 'secret' });
    expect(listed.map(({ name }) => name)).toEqual(sourceIds);
    const known = listed.map(({ name, configured, checked_shape: shape }) => [name, configured, shape]);
    expect(known).toEqual(
      expect.arrayContaining([
        ['snapshot', false, null],
        ['upstream', false, true],
        ['serpapi', true, true],
        ['dataforseo', false, true],
        ['adyntel', false, true],
        ['transparency', false, true],
        ['bigquery', false, false],
        ['mapped', false, false],
        ['sample', true, null],
      ]),
    );
    for (const { name, configured, lacks } of listed) {
      if (configured) expect(lacks).toBeNull();
      else expect(lacks, name).toMatch(/NIGHTSHIFT_[A-Z]+|nightshift snapshot load/);
    }
    expect(listed.map((each) => each.checked_live)).toEqual(listed.map(() => null));
  });

  test('prints the same as text, with the settings of each source', async () => {
    const { exitCode, stdout } = await cli().run(['sources']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/serpapi +│ not set up +│ 1 searches per page of up to 100 ads +│ yes +│ no/);
    expect(stdout).toMatch(/bigquery +│ not set up .* │ by its schema +│ no/);
    expect(stdout).toMatch(/mapped +│ not set up +│ not set +│ by its map +│ no/);
    expect(stdout).toMatch(/sample +│ ready +│ free +│ local data +│ local data/);
    expect(stdout).toContain('The source serpapi is not configured: set NIGHTSHIFT_SERPAPI_KEY.');
    expect(stdout).toMatch(/NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS=true .* forbid selling or monetizing/);
  });

  test('names the setting of an invalid key, and not the key', async () => {
    const listed = await list({
      NIGHTSHIFT_SERPAPI_KEY: 'two words',
      NIGHTSHIFT_DATAFORSEO_LOGIN: 'ada',
      NIGHTSHIFT_DATAFORSEO_PASSWORD: 'two words',
    });
    const lacks = (source: string) => listed.find(({ name }) => name === source)?.lacks;
    expect(lacks('serpapi')).toMatch(/fix NIGHTSHIFT_SERPAPI_KEY$/);
    expect(lacks('dataforseo')).toMatch(/fix NIGHTSHIFT_DATAFORSEO_PASSWORD$/);
    expect(JSON.stringify(listed)).not.toContain('two words');
  });

  test('have the prices that they declare in the book of a new database', async () => {
    const { sources: booked } = (await cli().ask(['prices'])) as { sources: readonly BookedPrice[] };
    const declared = liveSources.flatMap(({ id, price }) =>
      price?.kind === 'list' ? [[id, Number(price.amount), price.currency, price.unit]] : [],
    );
    expect(declared.length).toBeGreaterThan(0);
    expect(
      booked.map(({ source, amount, currency, unit }) => [source, amount, currency, unit]).toSorted(),
    ).toEqual(declared.toSorted());
  });

  test('lists sources even without the file of a map', async () => {
    const listed = await list({ NIGHTSHIFT_MAPPED_FILE: 'not-there.json' });
    expect(listed.find(({ name }) => name === 'mapped')?.lacks).toContain('not-there.json');
  });
});

describe('search', () => {
  const search = ['search', '--domain', 'acme.com'];

  test('with configured but unselected sources names the remedy', async () => {
    const environment = { NIGHTSHIFT_SERPAPI_KEY: 'secret' };
    const { exitCode, stderr } = await cli().run(search, { environment });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'serpapi is configured but not selected: add --source serpapi or set NIGHTSHIFT_SOURCES=serpapi.',
    );
    expect(stderr).not.toContain('No ad source is configured');
  });

  test('by country is rejected if a request of the map has no region', async () => {
    const map = JSON.parse(
      readFileSync(join(packageRoot, 'examples/sources/searchapi.json'), 'utf8'),
    ) as SourceMapText;
    delete map.requests.domain.query['region'];
    cli().write('placeless.json', JSON.stringify(map));
    const environment = { NIGHTSHIFT_MAPPED_FILE: 'placeless.json', NIGHTSHIFT_MAPPED_KEY: searchApiKey };
    cli().write('list.csv', 'domain\nacme.com\n');
    for (const command of [search, ['load', 'list.csv']]) {
      const args = [...command, '--source', 'mapped', '--region', 'DE'];
      const { exitCode, stdout, stderr } = await cli().run(args, { environment });
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /requests\.domain of its map placeless\.json .*\{region\}.* leave the region out/,
      );
      expect(stderr).not.toContain('requests.mapping');
    }
    expect(await cli().ask(['status'])).toMatchObject({ batches: [], next: null });
  });
});

/** Parts of a source map that tests change. */
interface SourceMapText {
  readonly requests: { readonly domain: { readonly query: Record<string, string> } };
}

async function openDataForSeoAccount() {
  const standIn = until(await openDataForSeo({ ads: vendorFixture.ads, candidates: () => null }));
  const environment = {
    NIGHTSHIFT_DATAFORSEO_URL: standIn.url,
    NIGHTSHIFT_DATAFORSEO_LOGIN: login,
    NIGHTSHIFT_DATAFORSEO_PASSWORD: password,
  };
  return { standIn, environment };
}

/** Settings for the stand-in of a vendor. */
const vendors: readonly (readonly [string, () => Promise<Environment>])[] = [
  [
    'upstream',
    async () => {
      const { url, key } = until(await openSourceStandIn({ ads: () => generateAds('acme.com', 2) }));
      return { NIGHTSHIFT_UPSTREAM_URL: url, NIGHTSHIFT_UPSTREAM_KEY: key };
    },
  ],
  ['serpapi', async () => (await openSerpapi()).environment],
  ['dataforseo', async () => (await openDataForSeoAccount()).environment],
  [
    'adyntel',
    async () => {
      const account = { key: 'secret', email: 'ada@acme.example' };
      const { url } = until(
        await openAdyntelStandIn({ ...account, rowsPerPage: 25, saysNone: 'list', givesTotal: false }),
      );
      return {
        NIGHTSHIFT_ADYNTEL_URL: url,
        NIGHTSHIFT_ADYNTEL_KEY: account.key,
        NIGHTSHIFT_ADYNTEL_EMAIL: account.email,
      };
    },
  ],
  [
    'transparency',
    async () => ({
      NIGHTSHIFT_TRANSPARENCY_URL: until(await openTransparencyStandIn()).url,
      NIGHTSHIFT_TRANSPARENCY_ACCEPT_TERMS: 'true',
      NIGHTSHIFT_TRANSPARENCY_CONTACT: 'https://acme.example',
    }),
  ],
];

describe('sources smoke', () => {
  test.each(vendors)(
    '%s with the recorded response exits with 0, and is listed as checked',
    async (name, open) => {
      const environment = await open();
      expect(await cli().ask(smoke(name), { environment })).toEqual({
        source: name,
        outcome: 'found',
        reason: null,
        compared: true,
        missing: [],
        added: [],
      });
      const listed = (await list(environment)).find((each) => each.name === name);
      expect(listed).toMatchObject({ configured: true, live: { outcome: 'found', missing: [], added: [] } });
      expect(Date.now() - Date.parse(listed?.checked_live ?? '')).toBeLessThan(600_000);
      const { stdout } = await cli().run(['sources']);
      expect(stdout).toMatch(new RegExp(`${name} +│.*\\d{4}-\\d\\d-\\d\\d: found, as recorded`));
    },
  );

  test('a renamed key is listed, even if the ads can be parsed without it', async () => {
    const { standIn, environment } = await openDataForSeoAccount();
    const path = 'tasks[].result[].items[].url';
    standIn.failWith({ kind: 'change', change: (answer) => renameKey(answer, path) });
    const { exitCode, stdout } = await cli().run(smoke('dataforseo'), { environment });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/found.*differs/);
    expect(stdout).toContain(`missing  ${path}\n  new      ${path}_renamed\n`);
    const live = { outcome: 'found', missing: [path], added: [`${path}_renamed`] };
    expect((await list()).find(({ name }) => name === 'dataforseo')).toMatchObject({ live });
    expect((await cli().run(['sources'])).stdout).toMatch(/dataforseo.*: found, 2 keys differ/);
  });

  test('a new key is listed, and is not a finding', async () => {
    const { standIn, environment } = await openSerpapi();
    standIn.failWith({ kind: 'change', change: (answer) => ({ ...answer, brand_new: 1 }) });
    expect(await cli().ask(smoke('serpapi'), { environment })).toMatchObject({
      outcome: 'found',
      missing: [],
      added: ['brand_new'],
    });
  });

  test('a response that cannot be parsed is a finding, with its differences if it is JSON', async () => {
    const { standIn, environment } = await openSerpapi();
    const path = 'ad_creatives[].advertiser_id';
    standIn.failWith({ kind: 'change', change: (answer) => renameKey(answer, path) });
    expect(await cli().ask(smoke('serpapi'), { environment, exitCode: 1 })).toMatchObject({
      outcome: 'source_unreadable',
      reason: expect.stringContaining('ad_creatives[0].advertiser_id') as string,
      missing: [path],
      added: [`${path}_renamed`],
    });
    standIn.failWith({ kind: 'text', text: '<html>Down for maintenance</html>' });
    const { exitCode, stdout } = await cli().run(smoke('serpapi'), { environment });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/cannot be parsed \(source_unreadable\)\.\n.*not JSON/);
    expect(stdout).not.toContain('maintenance');
    expect((await cli().run(['sources'])).stdout).toMatch(/serpapi.*: source_unreadable/);
  });

  test('a company without ads compares nothing, and does not change the list', async () => {
    const { environment } = await openSerpapi();
    const before = await list(environment);
    const ended = await cli().run(['sources', 'smoke', 'serpapi', '--domain', 'quiet.com'], { environment });
    expect([ended.exitCode, ended.stdout]).toEqual([1, expect.stringContaining('nothing was compared')]);
    expect(await list(environment)).toEqual(before);
  });

  test('a source without domains is searched by name, or by the label of the domain', async () => {
    const standIn = until(
      await openBigQueryStandIn({
        rows: [makeCreative(1, 1, { DE: ['2026-01-02', '2026-02-03'] })],
        wantsToken: false,
      }),
    );
    const environment = {
      NIGHTSHIFT_BIGQUERY_PROJECT: standIn.projectId,
      NIGHTSHIFT_BIGQUERY_URL: standIn.baseUrl,
    };
    const unknown = await cli().run(smoke('bigquery'), { environment });
    expect(unknown.exitCode, unknown.stdout).toBe(0);
    expect(standIn.jobs()).toBe(1);
    const byLabel = await cli().run([...smoke('bigquery'), '--domain', 'acme.com'], { environment });
    expect([byLabel.exitCode, byLabel.stdout]).toEqual([0, expect.stringContaining('no recorded response')]);
    const byName = await cli().run([...smoke('bigquery'), '--name', 'Acme GmbH'], { environment });
    expect([byName.exitCode, byName.stdout]).toEqual([0, expect.stringContaining('no recorded response')]);
  });

  test('a mapped source is checked by its map', async () => {
    const { url } = until(await openSearchApi(vendorFixture));
    const map = readFileSync(join(packageRoot, 'examples/sources/searchapi.json'), 'utf8');
    cli().write('map.json', map.replace('https://www.searchapi.io', url));
    // The map allows its host.
    const environment = { NIGHTSHIFT_MAPPED_FILE: 'map.json', NIGHTSHIFT_MAPPED_KEY: searchApiKey };
    const { exitCode, stdout } = await cli().run(smoke('mapped'), { environment });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('no recorded response')]);
    const priced = await cli().run(['prices', 'source', 'mapped', '0.004', '--currency', 'USD'], {
      environment,
    });
    expect(priced.stdout).toContain('0.004 USD per search.');
  });

  test.each([
    ['a source without a network', ['smoke', 'snapshot'], {}, 'Unknown network source'],
    ['no source', ['smoke', 'bing'], {}, 'Unknown network source'],
    ['a source that is not configured', ['smoke', 'adyntel'], {}, 'NIGHTSHIFT_ADYNTEL_KEY'],
    ['no domain', ['smoke', 'adyntel', '--domain', 'localhost'], {}, 'localhost'],
    [
      'a page on a shared host',
      ['smoke', 'adyntel', '--domain', 'facebook.com/a', '--name', 'A'],
      {},
      'shared|many',
    ],
    [
      'responses that are not stored',
      ['smoke', 'adyntel'],
      { NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: '0' },
      'KEEP_RAW_RESPONSES_DAYS',
    ],
  ])('%s is rejected with a remedy', async (_what, args, environment, message) => {
    const { exitCode, stderr } = await cli().run(['sources', ...args], { environment });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test('a source that rejects the key exits with 4, and nothing is stored', async () => {
    const { environment } = await openSerpapi();
    const before = await list();
    const refused = await cli().run(smoke('serpapi'), {
      environment: { ...environment, NIGHTSHIFT_SERPAPI_KEY: 'wrong' },
    });
    expect([refused.exitCode, refused.stderr]).toEqual([4, expect.not.stringContaining('wrong')]);
    const after = await list();
    expect(after.map(({ name, live }) => [name, live])).toEqual(before.map(({ name, live }) => [name, live]));
    expect(after.find(({ name }) => name === 'serpapi')).toMatchObject({ pause: { kind: 'refused' } });
  });
});

test('all invariants hold afterwards', async () => {
  expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
});
