import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unguarded } from '../../support/breakages/by-hand.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import { withClient } from '../../support/db/test-postgres.ts';
import { momentText } from '../../../src/core/reports/days.ts';

const companies = ['acme.com', 'globex.com', 'quiet.com', 'who.com'];

function adsOf(company: string) {
  if (company === 'who.com') return 'no_match';
  return company === 'quiet.com' ? [] : generateAds('acme.com', 4);
}

describe('--max-age', () => {
  const cli = useTestCli({ sample: false, inProcess: true });
  let source: SourceStandIn;
  let first: string;

  beforeAll(async () => {
    source = await openSourceStandIn({ ads: adsOf });
    cli().write('list.csv', `domain\n${companies.join('\n')}\n`);
    const answer = (await ask(['enrich', 'list.csv', '-o', 'first.csv'])) as { readonly id: string };
    first = answer.id;
  });
  afterAll(() => source.close());

  const environment = () => ({
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
  });
  const ask = (args: readonly string[]) => cli().ask(args, { environment: environment() });
  const run = (args: readonly string[]) => cli().run(args, { environment: environment() });
  const query = (text: string) => ask(['sql', text]) as Promise<readonly Readonly<Record<string, unknown>>[]>;

  const lookupsOf = (batch: string) =>
    query(
      `select company_domain, outcome, source, matched_by, ads_count, credits::float, from_cache, date_trunc('milliseconds', observed_at) AS observed_at
        from reports.lookups where batch = '${batch}' order by company_domain`,
    );
  const adsIn = (batch: string) =>
    query(
      `select company_domain, position, advertiser_id, creative_id, version_id, relation, source, date_trunc('milliseconds', observed_at) AS observed_at
        from reports.ads where batch = '${batch}' order by 1, 2`,
    );

  test('reuses answers of that age without a call, free of charge, with their date', async () => {
    const calls = source.log.length;
    const args = ['enrich', 'list.csv', '--again', '--max-age', '7d', '-o', 'second.csv'];
    const answer = (await ask(args)) as { readonly id: string };
    expect(answer).toMatchObject({
      state: 'finished',
      lookups: { total: 4, found: 2, none: 1, no_match: 1, failed: 0 },
      credits: { charged: 0 },
    });
    expect(answer.id).not.toBe(first);
    expect(source.log).toHaveLength(calls);

    const before = await lookupsOf(first);
    expect(before.map((each) => each['from_cache'])).toEqual([false, false, false, false]);
    expect(before.map((each) => each['credits'])).toEqual([0.2, 0.2, 0, 0]);
    expect(await lookupsOf(answer.id)).toEqual(
      before.map((each) => ({ ...each, from_cache: true, credits: 0 })),
    );
    const ads = await adsIn(answer.id);
    expect(ads.length).toBeGreaterThan(0);
    expect(ads).toEqual(await adsIn(first));
    expect(
      await query(
        `select distinct source, reported from reports.lookup_sources where batch = '${answer.id}'`,
      ),
    ).toEqual([{ source: 'store', reported: 'repeated' }]);
    await ask(['verify']);
  });

  test('shows the date of a reused answer of a single search', async () => {
    const calls = source.log.length;
    const args = ['search', '--domain', 'acme.com', '--max-age', '7d'];
    const { from_cache, observed_at, ...contract } = (await ask(args)) as Record<string, unknown>;
    expect(from_cache).toBe(true);
    expect(contract).toMatchObject({ credits_consumed: 0, message: 'Ads found.', source: 'upstream' });
    const { exitCode, stdout } = await run(args);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `0 credits charged, matched by domain, reported by upstream at ${momentText(new Date(String(observed_at)))}`,
    );
    expect(source.log).toHaveLength(calls);

    const fresh = (await ask(['search', '--domain', 'acme.com'])) as Record<string, unknown>;
    expect(fresh).toEqual({ ...contract, credits_consumed: 0.2 });
    expect(source.log).toHaveLength(calls + 1);
  });

  test('calls the source again for an older answer', async () => {
    const calls = source.log.length;
    const older = `UPDATE nightshift.lookups SET ended_at = ended_at - interval '2 days' WHERE company_domain = 'globex.com'`;
    await withClient(cli().environment['DATABASE_URL'] ?? '', (client) =>
      client.query(unguarded('lookups', older)),
    );
    expect(await ask(['search', '--domain', 'globex.com', '--max-age', '3d'])).toHaveProperty('from_cache');
    expect(source.log).toHaveLength(calls);
    expect(await ask(['search', '--domain', 'globex.com', '--max-age', '1d'])).toMatchObject({
      credits_consumed: 0.2,
    });
    expect(source.log).toHaveLength(calls + 1);
  });

  test.each(['soon', '7', '-1d', ''])('is rejected as %j, without a lookup', async (age) => {
    const calls = source.log.length;
    const { exitCode, stdout, stderr } = await run(['search', '--domain', 'acme.com', '--max-age', age]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--max-age');
    expect(source.log).toHaveLength(calls);
  });
});
