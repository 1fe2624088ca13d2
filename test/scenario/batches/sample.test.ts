import { describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const companies = 'domain\nnike.com\n';

describe('the bundled sample, where nothing is loaded yet', () => {
  const cli = useTestCli({ sample: false });

  test('loads by itself for a list that names it, once, with a note', async () => {
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

describe('a server whose configured source is the sample, where nothing is loaded yet', () => {
  const cli = useTestCli({ sample: false, settings: { NIGHTSHIFT_SOURCES: 'sample' } });

  test('is ready with it loaded, and answers searches', async () => {
    const { key } = (await cli().ask(['keys', 'create'])) as { key: string };
    const running = cli().start(['up']);
    await running.says('Stop with Ctrl-C');
    expect(running.stderr()).toContain('Loading the bundled, generated sample ads');
    const [, url = ''] = /API listens on (\S+?);/.exec(running.stderr()) ?? [];
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
