import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { key, openSearchApi } from '../../support/sources/searchapi.ts';
import { acmeRetail, vendorFixture } from '../../support/sources/vendor-fixture.ts';

const cli = useTestCli({ inProcess: true });

/** Configures `mapped` with a map of this platform, which reads the id of an advertiser from this path. */
async function useMap(platform: string, advertiserId = 'advertiser.id') {
  const standIn = await openSearchApi(vendorFixture);
  onTestFinished(standIn.close);
  const map = JSON.parse(readFileSync(join(packageRoot, 'examples/sources/searchapi.json'), 'utf8')) as {
    readonly ad: object;
  };
  const ad = { ...map.ad, advertiser_id: advertiserId };
  cli().write('map.json', JSON.stringify({ ...map, platform, base_url: standIn.url, ad }));
  const environment = {
    NIGHTSHIFT_MAPPED_FILE: 'map.json',
    NIGHTSHIFT_MAPPED_KEY: key,
    NIGHTSHIFT_MAPPED_REQUESTS_PER_SECOND: '100',
  };
  return { standIn, environment };
}

test('a map of another platform stores ids with that platform, and SQL, exports and the contract show it', async () => {
  const { standIn, environment } = await useMap('meta');
  await cli().ask(['companies', 'map', 'acme.com', `meta:${acmeRetail}`, acmeRetail, '--role', 'agency']);
  cli().write('list.csv', 'domain\nacme.com\n');
  const enrich = ['enrich', 'list.csv', '-o', 'out.csv', '--shape', 'ads', '--source', 'mapped'];
  expect(await cli().run(enrich, { environment })).toMatchObject({ exitCode: 0 });
  expect(standIn.calls.map(({ query }) => query.get('advertiser_id'))).toEqual([acmeRetail]);

  const [header = '', ...lines] = cli().read('out.csv').trim().split(/\r?\n/);
  const at = (line: string, column: string) => line.split(',')[header.split(',').indexOf(column)];
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    expect(at(line, 'advertiser_id')).toBe(`meta:${acmeRetail}`);
    expect(at(line, 'creative_id')).toMatch(/^meta:CR\d{20}$/);
  }

  const query = 'SELECT DISTINCT advertiser_id, platform, relation, left(creative_id, 7) AS start FROM ads';
  expect(await cli().ask(['sql', query])).toEqual([
    { advertiser_id: `meta:${acmeRetail}`, platform: 'meta', relation: 'third_party', start: 'meta:CR' },
  ]);

  const search = ['search', '--domain', 'acme.com', '--source', 'mapped'];
  const { ads } = (await cli().ask(search, { environment })) as { ads: readonly object[] };
  expect(ads[0]).toMatchObject({ advertiser_id: acmeRetail, platform: 'meta' });
});

test('a mapping to advertisers of another platform only is not sent to a source of Google, and rules no ads out', async () => {
  const { standIn, environment } = await useMap('google');
  await cli().ask(['companies', 'map', 'big.com', 'meta:153080620724']);
  const search = ['search', '--domain', 'big.com', '--source', 'mapped'];
  expect(await cli().ask(search, { environment })).toMatchObject({ matched_by: 'domain' });
  expect(new Set(standIn.calls.map(({ query }) => query.get('domain')))).toEqual(new Set(['big.com']));

  await cli().ask(['companies', 'map', 'nike.com', 'meta:153080620724']);
  const sample = await cli().ask(['search', '--domain', 'nike.com', '--source', 'sample']);
  expect(sample).toMatchObject({ message: 'Ads found.', matched_by: 'domain_label' });
});

test('a map of Google rejects ids of another form, and names the remedy', async () => {
  const { environment } = await useMap('google', 'advertiser.name');
  const search = ['search', '--domain', 'acme.com', '--source', 'mapped'];
  const { exitCode, stderr } = await cli().run(search, { environment });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('set platform in the map, such as "platform": "meta"');
});
