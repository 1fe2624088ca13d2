import { expect, test } from 'vitest';
import { fullId } from '../../../src/core/companies/platform-id.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { insertCandidates, makeCandidate } from '../../support/companies/candidates.ts';
import { advertiserId } from '../../support/sources/creatives.ts';

const cli = useTestCli({ inProcess: true, sample: false });

test('uncertain advertisers are listed until they are decided', async () => {
  const empty = await cli().run(['companies', 'review']);
  expect([empty.exitCode, empty.stdout]).toEqual([0, expect.stringMatching(/^No advertiser waits/)]);
  expect(await cli().ask(['companies', 'review'])).toEqual([]);

  await insertCandidates(
    cli().environment,
    makeCandidate(1),
    makeCandidate(2),
    makeCandidate(3, { companyKey: 'n:apex', name: null, legalName: 'Apex Ltd', verification: null }),
  );
  const listed = (await cli().ask(['companies', 'review'])) as readonly Record<string, unknown>[];
  expect(listed).toHaveLength(3);
  expect(listed[0]).toEqual({
    company: 'nike.com',
    by: 'domain',
    advertiser_id: fullId(advertiserId(1)),
    name: 'Nike Media 1',
    legal_name: null,
    location: 'DE',
    verification: 'VERIFIED',
    ads_count: 1201,
    confidence: 0.79,
    reasons: ['name_within', 'adds_generic_word'],
    source: 'snapshot',
    first_seen_at: expect.stringMatching(/Z$/) as unknown,
    last_seen_at: expect.stringMatching(/Z$/) as unknown,
    url: `https://adstransparency.google.com/advertiser/${advertiserId(1)}`,
  });
  const { stdout } = await cli().run(['companies', 'review']);
  expect(stdout).toMatch(
    /nike\.com +│ google:AR0+1 +│ Nike Media 1 +│ 79% +│ DE +│ verified +│ 1,201 +│ name_within, adds_generic_word/,
  );
  expect(stdout).toMatch(/apex +│ google:AR0+3 +│ Apex Ltd +│ 77%/);

  const bounded = await cli().run(['companies', 'review', '--limit', '1']);
  expect(bounded.stdout).not.toContain('Nike Media 2');
  expect(bounded.stderr).toContain('2 more advertisers: raise --limit to list them.');
  const ofApex = (await cli().ask(['companies', 'review', '--company', 'Apex'])) as readonly unknown[];
  expect(ofApex).toHaveLength(1);

  await cli().ask(['companies', 'map', 'nike.com', advertiserId(1), '--role', 'deny']);
  expect(await cli().ask(['companies', 'review', '--company', 'nike.com'])).toMatchObject([
    { advertiser_id: fullId(advertiserId(2)) },
  ]);
});

test.each(['0', 'all', '100000'])('--limit %s is rejected', async (limit) => {
  const { exitCode, stderr } = await cli().run(['companies', 'review', '--limit', limit]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Use a number from 1 to 10,000')]);
});
