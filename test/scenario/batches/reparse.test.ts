import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestApi } from '../../support/api/test-api.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { repairReplies } from '../../support/cli/repair-replies.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import { withClient } from '../../support/db/test-postgres.ts';

const cli = useTestCli({ inProcess: true });
const databaseUrl = () => cli().environment['DATABASE_URL'] ?? '';

/** Response with its ads under an unexpected key, `adverts`. */
async function openChangedSource(): Promise<SourceStandIn> {
  const ads = generateAds('acme.com', 2);
  const source = await openSourceStandIn({
    ads: (name) => ads.map((ad) => ({ ...ad, advertiser_name: name })),
  });
  onTestFinished(() => source.close());
  source.setBehaviour(() => ({ kind: 'change', change: ({ ads, ...rest }) => ({ ...rest, adverts: ads }) }));
  return source;
}

function settingsOf(source: SourceStandIn) {
  return { NIGHTSHIFT_UPSTREAM_URL: source.url, NIGHTSHIFT_UPSTREAM_KEY: source.key };
}

const readAgain = (reply: string) => reply.replace('"adverts"', '"ads"');

/** Creates a finished batch of two companies whose responses could not be parsed. */
async function enrichUnread(name: string) {
  const source = await openChangedSource();
  const environment = settingsOf(source);
  cli().write(`${name}.csv`, `domain\n${name}-1.com\n${name}-2.com\n`);
  const enrich = ['enrich', `${name}.csv`, '--source', 'upstream', '-o', `${name}-out.csv`];
  const { id: batch } = (await cli().ask(enrich, { environment, exitCode: 1 })) as { id: string };
  expect(
    cli()
      .read(`${name}-out.csv`)
      .match(/source_unreadable/g),
  ).toHaveLength(2);
  expect(source.log).toHaveLength(2);
  return { source, environment, enrich, batch };
}

async function balance(): Promise<number> {
  return ((await cli().ask(['credits'])) as { balance: number }).balance;
}

describe('reparse', () => {
  test('parses stored responses after an update: found, charged once, without a call', async () => {
    const { source, environment, enrich, batch } = await enrichUnread('read');
    const before = await balance();
    expect(await repairReplies(databaseUrl(), readAgain)).toBeGreaterThan(0);

    expect(await cli().ask(['reparse', batch])).toMatchObject({ id: batch, retried: 2 });
    const done = await cli().ask(enrich, { environment });
    expect(done).toMatchObject({ id: batch, state: 'finished', lookups: { found: 2, failed: 0, open: 0 } });
    expect(cli().read('read-out.csv')).not.toContain('failed');
    expect(source.log).toHaveLength(2);
    expect(before - (await balance())).toBeCloseTo(0.4, 6);

    expect(await cli().ask(['reparse', batch])).toMatchObject({ retried: 0 });
    expect(await balance()).toBeCloseTo(before - 0.4, 6);
    expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
  });

  test('fails again for responses that still cannot be parsed, free of charge, and can be repeated', async () => {
    const { source, environment, enrich, batch } = await enrichUnread('still');
    const before = await balance();
    for (let times = 1; times <= 2; times++) {
      expect(await cli().ask(['reparse', batch])).toMatchObject({ retried: 2 });
      const failed = await cli().ask(enrich, { environment, exitCode: 1 });
      expect(failed).toMatchObject({ id: batch, lookups: { failed: 2 } });
    }
    await repairReplies(databaseUrl(), readAgain);
    await cli().ask(['reparse', batch]);
    expect(await cli().ask(enrich, { environment })).toMatchObject({ lookups: { found: 2, failed: 0 } });
    expect(source.log).toHaveLength(2);
    expect(before - (await balance())).toBeCloseTo(0.4, 6);
  });

  test('finds nothing when the responses have expired, and a retry calls the source again', async () => {
    const { source, environment, enrich, batch } = await enrichUnread('gone');
    await withClient(databaseUrl(), (client) => client.query('DELETE FROM nightshift.raw_replies'));
    const { exitCode, stdout } = await cli().run(['reparse', batch]);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(`${batch} has no responses to parse again`),
    ]);
    source.setBehaviour(() => undefined);
    await cli().ask(['retry', batch]);
    expect(await cli().ask(enrich, { environment })).toMatchObject({ lookups: { found: 2 } });
    expect(source.log).toHaveLength(4);
  });

  test('finds nothing if responses are not stored', async () => {
    const source = await openChangedSource();
    const environment = { ...settingsOf(source), NIGHTSHIFT_KEEP_REPLIES_DAYS: '0' };
    cli().write('unkept.csv', 'domain\nunkept.com\n');
    const enrich = ['enrich', 'unkept.csv', '--source', 'upstream', '-o', 'unkept-out.csv'];
    const { id: batch } = (await cli().ask(enrich, { environment, exitCode: 1 })) as { id: string };
    expect(await cli().ask(['reparse', batch], { environment })).toMatchObject({ retried: 0 });
  });
});

test('retry of stored responses over HTTP does the same', async () => {
  const source = await openChangedSource();
  const api = await openTestApi({
    workers: true,
    settings: { ...settingsOf(source), NIGHTSHIFT_SOURCES: 'upstream' },
  });
  onTestFinished(api.close);
  const key = await api.createKey();
  const headers = { 'Content-Type': 'text/csv' };
  const body = 'domain\nhttp-1.com\nhttp-2.com\n';
  const { id } = (await api.call('POST', '/v1/batches', { key, headers, body })).json() as { id: string };
  const ended = async () => {
    await api.call('GET', `/v1/batches/${id}/events`, { key });
    return (await api.call('GET', `/v1/batches/${id}`, { key })).json();
  };
  expect(await ended()).toMatchObject({ state: 'finished', lookups: { failed: 2 } });
  expect(await repairReplies(api.database.url, readAgain)).toBeGreaterThan(0);
  const retried = await api.call('POST', `/v1/batches/${id}/retry`, { key, json: { kept_replies: true } });
  expect([retried.status, retried.json()]).toMatchObject([200, { id, retried: 2, state: 'running' }]);
  expect(await ended()).toMatchObject({ state: 'finished', lookups: { found: 2, failed: 0 } });
  expect(source.log).toHaveLength(2);
  expect(await api.findings()).toEqual([]);
});
