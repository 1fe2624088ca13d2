import { expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { openReceiver } from '../../support/events/receiver.ts';

const cli = useTestCli({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' }, inProcess: true });

test('up shows each scan, each failed delivery, and webhooks that cannot send mail', async () => {
  const receiver = await openReceiver();
  await cli().ask(['webhook', 'add', 'crm', '--url', receiver.url, '--events', 'scan.changes']);
  const mail = { NIGHTSHIFT_SMTP_URL: 'smtp://127.0.0.1:1', NIGHTSHIFT_MAIL_FROM: 'nightshift@example.com' };
  const toJane = ['webhook', 'add', 'jane', '--email', 'jane@example.com', '--events', 'credits.low'];
  await cli().ask(toJane, { environment: mail });
  cli().write('rivals.csv', 'website\nnike.com\n');
  const terms = ['--companies', 'rivals.csv', '--cron', '0 2 * * *', '--tz', 'UTC', '--source', 'sample'];
  await cli().ask(['schedule', 'add', 'every-night', ...terms]);

  const up = cli().start(['up'], { environment: { NIGHTSHIFT_LOG_LEVEL: 'info' } });
  await up.waitForOutput('Warning: 1 webhook sends mail, but NIGHTSHIFT_SMTP_URL is not set.');
  receiver.next(500);
  const { batch } = (await cli().ask(['schedule', 'run', 'every-night'])) as { batch: string };
  await up.waitForOutput(`Scan of every-night started: ${batch}\n`);
  await up.waitForOutput(`Scan of every-night finished: ${batch}, no changes\n`);
  await up.waitForOutput(
    `Delivery of scan.changes to the webhook crm failed: ${receiver.host} answered 500. Next attempt at 20`,
  );
  await up.waitForOutput('"msg":"Scan finished"');
  const { stderr } = await up.stop();
  const logged = stderr.split('\n').filter((line) => /"msg":"(Scan|Workers) /.test(line));
  expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'info', msg: 'Workers started' },
    { msg: 'Scan started', batchId: batch },
    { msg: 'Scan finished', batchId: batch, state: 'finished', changes: {} },
    { msg: 'Workers stopped' },
  ]);
  expect(stderr.match(/started: bat_/g)).toHaveLength(1);
  expect(stderr.match(/finished: bat_/g)).toHaveLength(1);
});

test('up --json shows nothing of that', async () => {
  const up = cli().start(['up', '--json']);
  await cli().ask(['schedule', 'run', 'every-night']);
  await expect
    .poll(() => cli().ask(['schedule', 'scans', 'every-night']))
    .toMatchObject({ scans: [{ state: 'finished' }, { state: 'finished' }] });
  expect((await up.stop()).stderr).toBe('');
});
