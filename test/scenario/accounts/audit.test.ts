import { expect, onTestFinished, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { openSourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import type { Failure } from '../../support/stand-in/stand-in-failures.ts';
import { withClient } from '../../support/db/test-postgres.ts';

const cli = useTestCli({ inProcess: true });

/** Source without ads of `quiet.com`, and with ads of every other company. */
async function openUpstream() {
  const standIn = await openSourceStandIn({
    ads: (company) => (company === 'quiet.com' ? [] : generateAds('acme.com', 2)),
  });
  onTestFinished(() => standIn.close());
  const environment = { NIGHTSHIFT_UPSTREAM_URL: standIn.url, NIGHTSHIFT_UPSTREAM_KEY: standIn.key };
  async function search(domain: string, failure?: Failure): Promise<number | null> {
    standIn.setBehaviour(() => failure);
    const args = ['search', '--source', 'upstream', '--domain', domain];
    return (await cli().run(args, { environment })).exitCode;
  }
  return { search };
}

const charging = (credits: number): Failure => ({
  kind: 'change',
  change: (answer) => ({ ...answer, credits_consumed: credits }),
});

test('without a call, the audit is empty', async () => {
  expect(await cli().ask(['audit'])).toEqual({ sources: [], drifting: [] });
  expect((await cli().run(['audit'])).stdout).toContain('No billable calls yet.');
});

test('a source that charges its prices is listed with its charges', async () => {
  const { search } = await openUpstream();
  for (const domain of ['one.com', 'two.com', 'quiet.com']) expect(await search(domain)).toBe(0);
  expect(await cli().ask(['audit'])).toEqual({
    sources: [
      {
        source: 'upstream',
        currency: 'credits',
        calls: 2,
        expected: 0.4,
        charged: 0.4,
        charged_expected: 0.4,
        calls_in_doubt: 0,
        in_doubt: 0,
      },
    ],
    drifting: [],
  });
});

test('an interrupted call is listed in doubt with its maximum cost, and is not a finding', async () => {
  const { search } = await openUpstream();
  expect(await search('lost.com', { kind: 'cut', when: 'before' })).toBe(1);
  const { stdout } = await cli().run(['audit']);
  expect(stdout).toMatch(/upstream +│ 3 +│ 0\.4 +│ 0\.4 +│ 0\.2 \(1 call\) +│ credits/);
  expect(await cli().ask(['audit'])).toMatchObject({
    sources: [{ calls: 3, expected: 0.4, calls_in_doubt: 1, in_doubt: 0.2 }],
    drifting: [],
  });
});

test('a charge that differs from the price is a finding, even for an empty answer', async () => {
  const { search } = await openUpstream();
  expect(await search('dear.com', charging(0.5))).toBe(0);
  expect(await search('quiet.com', charging(0.1))).toBe(0);
  expect(await search('free.com', charging(0))).toBe(0);
  const audit = (await cli().ask(['audit'], { exitCode: 1 })) as { drifting: readonly object[] };
  expect(audit).toMatchObject({
    sources: [{ source: 'upstream', calls: 6, expected: 0.8, charged: 1, charged_expected: 0.8 }],
    drifting: [
      { source: 'upstream', expected: '0.2', charged: '0', currency: 'credits' },
      { expected: '0', charged: '0.1' },
      { expected: '0.2', charged: '0.5' },
    ],
  });
  const { stdout } = await cli().run(['audit']);
  expect(stdout).toContain('nightshift prices source');
});

test('--since excludes earlier calls', async () => {
  await withClient(cli().environment['DATABASE_URL'] ?? '', (client) =>
    client.query("UPDATE nightshift.source_calls SET sent_at = now() - interval '3 hours'"),
  );
  const { search } = await openUpstream();
  expect(await search('new.com')).toBe(0);
  expect(await cli().ask(['audit', '--since', '2h'])).toMatchObject({
    sources: [{ calls: 1, expected: 0.2, charged: 0.2 }],
    drifting: [],
  });
  expect(await cli().ask(['audit', '--since', '1d'], { exitCode: 1 })).toMatchObject({
    sources: [{ calls: 7 }],
  });
  const refused = await cli().run(['audit', '--since', 'soon']);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--since')]);
});
