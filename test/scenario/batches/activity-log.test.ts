import { expect, onTestFinished, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { openSourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

const cli = useTestCli({
  sample: false,
  inProcess: true,
  settings: { NIGHTSHIFT_SOURCE_WAIT_SECONDS: '0.5', NIGHTSHIFT_LOG_LEVEL: 'info' },
});
const companies = Array.from({ length: 12 }, (_, n) => `company-${n}.com`);

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly msg: string;
}

function logLines(stderr: string): readonly LogLine[] {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

test('log at level info has workers, waits, pauses of sources and ends of batches, with counts and durations, and no company', async () => {
  const source = await openSourceStandIn({ ads: () => generateAds('somebody.com', 1) });
  onTestFinished(() => source.close());
  source.setBehaviour(({ n }) => (n <= 14 ? { kind: 'status', status: 500 } : undefined));
  const environment = {
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
  };
  cli().write('list.csv', `domain\n${companies.join('\n')}\n`);
  const { exitCode, stderr } = await cli().run(['enrich', 'list.csv', '-o', 'out.csv'], { environment });
  expect(exitCode, stderr).toBe(0);
  const lines = logLines(stderr);
  const find = (message: string) => lines.filter(({ msg }) => msg === message);
  expect(find('Workers started')).toMatchObject([{ level: 'info', queue: 'postgres' }]);
  expect(find('Dispatcher started')).toMatchObject([{ openBatches: 1 }]);
  expect(find('Batch waiting')[0]).toMatchObject({ reason: 'failing', open: 12 });
  expect(find('Source paused')[0]).toMatchObject({ source: 'upstream', reason: 'failing', pauses: 1 });
  expect(find('Source resumed').at(-1)).toMatchObject({ source: 'upstream' });
  expect(find('Batch finished')).toMatchObject([
    { batchId: expect.stringMatching(/^bat_/) as string, lookups: { total: 12, found: 12, open: 0 } },
  ]);
  for (const message of ['Source resumed', 'Batch finished', 'Workers stopped'])
    expect(find(message).at(-1)?.['durationMs'], message).toBeGreaterThanOrEqual(0);
  expect(lines.map((line) => JSON.stringify(line)).join()).not.toMatch(/company-|somebody|list\.csv/);
});
