import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { openMailServer } from '../../support/events/mail-server.ts';
import { openReceiver, type Receiver } from '../../support/events/receiver.ts';

const cli = useTestCli({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' }, inProcess: true });
const cliWithWebhooks = useTestCli({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' }, inProcess: true });
/** Account with webhooks to external hosts, to which nothing may be sent. */
const calling = useTestCli({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' }, inProcess: true });

describe('enrich with webhooks', () => {
  test('delivers its event before the command ends, signed with the shown secret', async () => {
    const receiver = await openReceiver();
    const added = (await cli().ask(['webhook', 'add', 'hook', '--url', receiver.url])) as { secret: string };
    cli().write('list.csv', 'company,website\nNike,nike.com\nn/a,\n');
    const args = ['enrich', 'list.csv', '--source', 'sample', '-o', 'out.csv'];
    const { stdout } = await cli().runApart([...args, '--json']);
    const { id: batch } = JSON.parse(stdout) as { id: string };
    expect(receiver.calls).toHaveLength(1);
    const { headers = {}, body = '' } = receiver.calls[0] ?? {};
    expect(new Webhook(added.secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'batch.completed',
      data: { batch, file_name: 'list.csv', rows: { total: 2, rejected: 1 }, outcomes: { total: 1 } },
    });
    expect(await cli().ask(['webhook', 'list'])).toMatchObject([{ name: 'hook', pending: 0, dead: 0 }]);
    expect(await cli().ask(['verify'])).toMatchObject({ holds: true });
  });

  test('finishes the batch even if the event cannot be delivered', async () => {
    const receiver = await openReceiver();
    await receiver.close();
    await cli().ask(['webhook', 'add', 'gone', '--slack', receiver.url]);
    cli().write('second.csv', 'company,website\nPuma,puma.com\n');
    const { exitCode, stderr } = await cli().run([
      'enrich',
      'second.csv',
      '--source',
      'sample',
      '-o',
      'o.csv',
    ]);
    expect([exitCode, stderr.includes('warn')]).toEqual([0, false]);
    const [delivery] = (await cli().ask(['webhook', 'deliveries', 'gone'])) as { last_error: string }[];
    expect(delivery).toMatchObject({ event: 'batch.completed', state: 'pending', attempts: 1 });
    expect(delivery?.last_error).toBe(`${receiver.host} cannot be reached (ECONNREFUSED)`);
  });
});

describe('nightshift webhook', () => {
  test('adds a webhook for some events, or for all', async () => {
    const add = ['webhook', 'add'];
    const target = ['--url', 'https://example.com/in?key=secret'];
    expect(await calling().ask([...add, 'all', ...target])).toMatchObject({
      id: expect.stringMatching(/^whk_[0-9a-f]{32}$/) as string,
      kind: 'webhook',
      target: 'https://example.com/in?…',
      state: 'active',
      secret: expect.stringMatching(/^whsec_/) as string,
      events: [
        'scan.changes',
        'schedule.missed',
        'inbox.file_failed',
        'inbox.failing',
        'batch.completed',
        'batch.failed',
        'batch.waiting_for_credits',
        'landing.failed',
        'credits.low',
      ],
    });
    const some = await calling().ask([...add, 'some', ...target, '--events', 'credits.low, scan.changes']);
    expect(some).toMatchObject({ events: ['scan.changes', 'credits.low'] });
    const { stdout } = await calling().run(['webhook']);
    expect(stdout).toContain('example.com/in?…');
    expect(stdout).not.toMatch(/secret|whsec/);
  });

  test('shows only the host of a Slack URL, and has no secret for it', async () => {
    const url = 'https://hooks.slack.com/services/T0/B0/xyz';
    const added = (await calling().ask(['webhook', 'add', 'slack', '--slack', url])) as object;
    expect(added).toMatchObject({ kind: 'slack', target: 'https://hooks.slack.com/…' });
    expect(Object.keys(added)).not.toContain('secret');
    const { exitCode, stderr } = await calling().run(['webhook', 'rotate', 'slack']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"slack" has no secret')]);
  });

  test('rejects invalid options with a remedy', async () => {
    const url = ['--url', 'https://example.com/'];
    await calling().run(['webhook', 'add', 'taken', ...url]);
    for (const [args, words] of [
      [['add', 'x'], 'Choose one target: --url, --slack or --email.'],
      [['add', 'x', ...url, '--slack', 'https://example.com/'], 'Choose one target'],
      [['add', 'x', '--url', 'http://example.com/'], 'it must begin with https://'],
      [['add', 'x', '--url', 'https://user:pass@example.com/'], 'must not have a user name'],
      [['add', 'x', '--url', 'https://10.0.0.1/'], 'its host is not public'],
      [['add', 'x', '--url', 'https://169.254.169.254/latest'], 'its host is not public'],
      [['add', 'x', '--url', 'nonsense'], 'it is not a URL such as https://'],
      [
        ['add', 'x', ...url, '--events', 'moon.full'],
        'Unknown event "moon.full". Known events: scan.changes',
      ],
      [['add', 'x', '--email', 'jane@example.com'], 'no mail server is configured'],
      [['add', 'whk_1', ...url], 'A webhook needs a name'],
      [['add', ' x', ...url], 'A webhook needs a name'],
      [['add', 'taken', ...url], 'There is a webhook "taken" already.'],
      [['test', 'nobody'], 'There is no webhook nobody.'],
      [['replay', 'taken'], 'Choose what to send again'],
      [['replay', 'taken', '--event', 'evt_1'], 'There is no event evt_1.'],
      [['replay', 'taken', '--since', 'ever'], '--since ever'],
      [['deliveries', 'taken', '--limit', '0'], '--limit 0'],
    ] as const) {
      const { exitCode, stderr } = await calling().run(['webhook', ...args]);
      expect([exitCode, stderr], args.join(' ')).toEqual([2, expect.stringContaining(words)]);
    }
  });

  test('rejects hosts that are allowed for sources only', async () => {
    const environment = {
      NIGHTSHIFT_ALLOWED_HOSTS: '',
      NIGHTSHIFT_UPSTREAM_URL: 'http://127.0.0.1:65000',
      NIGHTSHIFT_UPSTREAM_KEY: 'x',
    };
    const args = ['webhook', 'add', 'inside', '--url', 'http://127.0.0.1:65000/'];
    const { exitCode, stderr } = await calling().run(args, { environment });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('it must begin with https://')]);
  });

  test('tests a webhook, even a disabled one, and shows the result', async () => {
    const receiver = await openReceiver();
    await calling().ask(['webhook', 'add', 'tested', '--url', receiver.url]);
    await calling().ask(['webhook', 'disable', 'tested']);
    const tested = (await calling().ask(['webhook', 'test', 'tested'])) as { event_id: string };
    expect(receiver.calls[0]?.headers['webhook-id']).toBe(tested.event_id);
    expect(JSON.parse(receiver.calls[0]?.body ?? '')).toMatchObject({
      type: 'test',
      data: { webhook: 'tested' },
    });
    receiver.next(500);
    expect(await calling().ask(['webhook', 'test', 'tested'], { exitCode: 1 })).toMatchObject({
      delivered: false,
      status: 500,
      error: `${receiver.host} answered 500`,
    });
    expect(await calling().ask(['webhook', 'deliveries', 'tested'])).toEqual([]);
  });

  test('sends e-mail', async () => {
    const { url, mails } = await openMailServer();
    const environment = { NIGHTSHIFT_SMTP_URL: url, NIGHTSHIFT_MAIL_FROM: 'nightshift@example.com' };
    await calling().ask(['webhook', 'add', 'jane', '--email', 'Jane@example.com'], { environment });
    await calling().ask(['webhook', 'test', 'jane'], { environment });
    expect(mails).toMatchObject([{ to: ['Jane@example.com'], from: 'nightshift@example.com' }]);
  });

  test('names the command that tests a new webhook by its name, and an event to resend', async () => {
    const { stderr } = await calling().run(['webhook', 'add', 'our crm', '--url', 'https://example.com/']);
    expect(stderr).toContain("Test it with: nightshift webhook test 'our crm'\n");
    expect((await calling().run(['webhook', 'deliveries', 'our crm'])).stdout).toBe(
      "No deliveries yet. Send one with: nightshift webhook test 'our crm'\n",
    );
    expect((await calling().run(['webhook', 'replay', 'our crm', '--dead'])).stdout).toBe(
      'Nothing to resend. For a pending event use --event evt_….\n',
    );
    expect((await calling().run(['webhook', 'replay', 'our crm', '--since', '1h'])).stdout).toBe(
      'Nothing to resend.\n',
    );
  });

  test('disables, enables and removes a webhook', async () => {
    await calling().ask(['webhook', 'add', 'brief', '--url', 'https://example.com/']);
    expect(await calling().ask(['webhook', 'disable', 'brief'])).toMatchObject({
      state: 'disabled',
      reason: 'by request',
    });
    expect(await calling().ask(['webhook', 'enable', 'brief'])).toMatchObject({
      state: 'active',
      reason: null,
    });
    expect(await calling().ask(['webhook', 'remove', 'brief'])).toMatchObject({ state: 'removed' });
    expect((await calling().run(['webhook', 'enable', 'brief'])).exitCode).toBe(2);
    // The name is available again.
    await calling().ask(['webhook', 'add', 'brief', '--url', 'https://example.com/']);
  });
});

test('an account sets its threshold for low credits', async () => {
  expect(await calling().ask(['credits', 'low'])).toEqual({ account: 'default', low: 100 });
  expect(await calling().ask(['credits', 'low', '2.5'])).toEqual({ account: 'default', low: 2.5 });
  expect((await calling().run(['credits', 'low', '0'])).stdout).toContain(
    'receives no event when its credits run low',
  );
  expect((await calling().run(['credits', 'low', '-1'])).exitCode).toBe(2);
});

describe('failed delivery', () => {
  test('is listed, and sent again on request', async () => {
    const receiver = await openReceiver();
    await cliWithWebhooks().ask([
      'webhook',
      'add',
      'failing',
      '--url',
      receiver.url,
      '--events',
      'batch.completed',
    ]);
    receiver.next(410);
    await enrich('third.csv', 'nike.com');
    expect(
      await cliWithWebhooks().ask(['webhook', 'deliveries', 'failing', '--state', 'dead']),
    ).toMatchObject([{ event: 'batch.completed', state: 'dead', last_status: 410, next_at: null }]);
    const { stdout } = await cliWithWebhooks().run(['webhook', 'list']);
    expect(stdout).toMatch(/^Last error of failing: \S+ answered 410/m);
    await enrich('fourth.csv', 'puma.com');
    expect(await cliWithWebhooks().ask(['webhook', 'replay', 'failing', '--dead'])).toEqual({ replayed: 1 });
    expect(await cliWithWebhooks().ask(['webhook', 'replay', 'failing', '--since', '1h'])).toEqual({
      replayed: expect.any(Number) as number,
    });
    await cliWithWebhooks().ask(['webhook', 'enable', 'failing']);
    await enrich('fifth.csv', 'adidas.com');
    const files = filesReported(receiver).slice(1);
    expect(files).toEqual(expect.arrayContaining(['third.csv', 'fourth.csv', 'fifth.csv']));
    expect(new Set(files).size).toBe(files.length);
    const [newest] = (await cliWithWebhooks().ask(['webhook', 'deliveries', 'failing'])) as {
      event_id: string;
    }[];
    expect(
      await cliWithWebhooks().ask(['webhook', 'replay', 'failing', '--event', newest?.event_id ?? '']),
    ).toEqual({
      replayed: 1,
    });
    await enrich('sixth.csv', 'adidas.com');
    expect(filesReported(receiver).slice(-2)).toEqual(['fifth.csv', 'sixth.csv']);
  });
});

async function enrich(name: string, domain: string): Promise<void> {
  cliWithWebhooks().write(name, `company,website\n${name},${domain}\n`);
  await cliWithWebhooks().ask(['enrich', name, '--source', 'sample', '-o', 'out.csv', '--again']);
}

function filesReported({ calls }: Receiver): readonly string[] {
  return calls.map(({ body }) => (JSON.parse(body) as { data: { file_name: string } }).data.file_name);
}
