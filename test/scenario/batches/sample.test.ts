import { describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const companies = 'domain\nnike.com\n';

describe('bundled sample before its first use', () => {
  const cli = useTestCli({ sample: false });

  test('is loaded once for a batch that uses it, with a note', async () => {
    cli().write('companies.csv', companies);
    const run = () =>
      cli().runApart(['enrich', 'companies.csv', '--source', 'sample', '--again', '-o', 'out.csv']);
    const first = await run();
    expect(first).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Loading the bundled, generated sample ads') as string,
    });
    expect(cli().read('out.csv')).toContain('sample');
    expect((await run()).stderr).not.toContain('sample ads');
  });
});

describe('server with the sample as its source, before the first use', () => {
  const cli = useTestCli({ sample: false, settings: { NIGHTSHIFT_SOURCES: 'sample' } });

  test('loads the sample at its start, and answers searches', async () => {
    const { key } = (await cli().ask(['keys', 'create'])) as { key: string };
    const running = cli().start(['up']);
    await running.waitForOutput('Press Ctrl-C to stop');
    expect(running.stderr()).toContain('Loading the bundled, generated sample ads');
    const [, url = ''] = /Console +(\S+)/.exec(running.stderr()) ?? [];
    const answer = await fetch(`${url}/v1/ads/google-ads-search`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ company_domain: 'nike.com' }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ credits_consumed: 0.2 });
    await running.stop();
  });
});
