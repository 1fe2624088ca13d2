import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAllowedHosts } from '../../../src/adapters/http/allowed-hosts.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import { createMailer } from '../../../src/adapters/webhooks/mailer.ts';
import { createEventChannel } from '../../../src/adapters/webhooks/event-channel.ts';
import type { Receiver, EventChannel } from '../../../src/core/events/event-envelope.ts';
import { openEventChannels } from '../../../src/app/event-channels.ts';
import { openMailServer } from '../../support/events/mail-server.ts';
import { examplePayloads } from '../../support/events/event-payloads.ts';
import { hangs, openReceiver } from '../../support/events/receiver.ts';

const event = {
  eventId: 'evt_01a1ff734ad87655b2c761ba36458456',
  event: 'scan.changes',
  createdAt: new Date(),
  payload: examplePayloads['scan.changes'],
  timeZone: 'Europe/Berlin',
};
const nobody = new AbortController().signal;
const from = 'nightshift@example.com';
const mailTo = (target: string): Receiver => ({ kind: 'email', target, secrets: [] });

interface Ways {
  readonly mailUrl?: string;
  readonly attemptMs?: number;
}

function openChannel({ mailUrl, attemptMs = 20_000 }: Ways = {}): EventChannel {
  const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
  onTestFinished(http.close);
  const mailer = mailUrl === undefined ? null : createMailer({ url: mailUrl, from, attemptMs });
  const isAllowedHost = readAllowedHosts(['127.0.0.1']);
  return createEventChannel({ http, isAllowedHost, mailer, attemptMs, now: () => new Date() });
}

describe('Slack', () => {
  test('gets a text message, and errors do not contain its address', async () => {
    const receiver = await openReceiver();
    const to = {
      kind: 'slack',
      target: `${receiver.url}/services/T0/B0/secret`,
      secrets: [],
    } as const;
    receiver.next(200, 403);
    expect(await openChannel().send(event, to, nobody)).toEqual({ kind: 'delivered', status: 200 });
    const [call] = receiver.calls;
    expect(call?.path).toBe('/services/T0/B0/secret');
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      text: '5 new and 2 ended ads among 50 companies of "rivals" (scan of 2026-11-22 02:00 Europe/Berlin)',
    });
    expect(await openChannel().send(event, to, nobody)).toEqual({
      kind: 'failed',
      status: 403,
      error: `${receiver.host} answered 403`,
      retryAfterMs: null,
    });
    await receiver.close();
    const attempt = await openChannel().send(event, to, nobody);
    expect(attempt).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('cannot be reached') as string,
    });
    expect(JSON.stringify(attempt)).not.toContain('secret');
  });

  test('gets a generic message for a payload with an unknown schema', async () => {
    const receiver = await openReceiver();
    const to = { kind: 'slack', target: receiver.url, secrets: [] } as const;
    await openChannel().send({ ...event, payload: { later: 'version' } }, to, nobody);
    expect(receiver.calls[0]?.body).toContain('Nightshift tells of scan.changes');
  });
});

describe('receiver that hangs', () => {
  test('on the web is aborted after the timeout', async () => {
    const receiver = await openReceiver();
    receiver.next(hangs);
    const to = { kind: 'slack', target: receiver.url, secrets: [] } as const;
    expect(await openChannel({ attemptMs: 200 }).send(event, to, nobody)).toMatchObject({
      kind: 'failed',
      status: null,
      error: `${receiver.host} gave no full answer within 200 ms`,
    });
  });

  test('as a mail server is aborted after the timeout', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    const channel = openChannel({ mailUrl: `smtp://127.0.0.1:${port}`, attemptMs: 200 });
    expect(await channel.send(event, mailTo('jane@example.com'), nobody)).toMatchObject({
      kind: 'failed',
      status: null,
      error: expect.stringMatching(/mail server/) as string,
    });
  });

  test('is aborted when the process stops', async () => {
    const receiver = await openReceiver();
    receiver.next(hangs);
    const ending = new AbortController();
    const to = { kind: 'slack', target: receiver.url, secrets: [] } as const;
    const sending = openChannel().send(event, to, ending.signal);
    await receiver.received(1);
    ending.abort(new Error('The process ends.'));
    await expect(sending).rejects.toThrow('The process ends.');
  });
});

describe('mail', () => {
  test('has text and HTML, and a repeat has the same message id', async () => {
    const server = await openMailServer();
    const channel = openChannel({ mailUrl: server.url });
    expect(await channel.send(event, mailTo('jane@example.com'), nobody)).toEqual({
      kind: 'delivered',
      status: 250,
    });
    await channel.send(event, mailTo('jane@example.com'), nobody);
    const [mail, repeat] = server.mails;
    expect(mail).toMatchObject({ from, to: ['jane@example.com'], login: 'nightshift' });
    const headers = headersOf(mail?.source);
    expect(headers).toMatchObject({
      from: 'Nightshift <nightshift@example.com>',
      to: 'jane@example.com',
      'message-id': `<${event.eventId}@example.com>`,
      'auto-submitted': 'auto-generated',
    });
    expect(headers['subject']).toContain('5 new and 2 ended ads among 50 companies of "rivals"');
    expect(mail?.source).toContain('Content-Type: text/plain');
    expect(mail?.source).toContain('Content-Type: text/html');
    expect(headersOf(repeat?.source)['message-id']).toBe(headers['message-id']);
  });

  test('escapes header and recipient injection in a name', async () => {
    const server = await openMailServer();
    const schedule = 'rivals"\r\nBcc: victim@example.com\r\nSubject: other\r\n\r\n<script>';
    const payload = { ...examplePayloads['scan.changes'], schedule };
    await openChannel({ mailUrl: server.url }).send(
      { ...event, payload },
      mailTo('jane@example.com'),
      nobody,
    );
    const [mail] = server.mails;
    expect(mail?.to).toEqual(['jane@example.com']);
    const headers = headersOf(mail?.source);
    expect(Object.keys(headers)).not.toContain('bcc');
    expect(headers['subject']).toContain('rivals');
  });

  test.each([
    'jane@example.com, all@example.com',
    '"jane, all"@example.com',
    'jane@example.com\r\nRCPT TO:<x@y.co>',
    'jane',
  ])('rejects anything but a single mailbox as recipient: %j', async (target) => {
    const { url } = await openMailServer();
    const events = openEventChannels({ allowedHosts: [], mail: { url, from } });
    onTestFinished(events.close);
    expect(() => events.readTarget('email', target)).toThrow('Cannot send events to this address');
  });

  test('that the server rejects is retried, with the code in the error and without the address', async () => {
    const server = await openMailServer();
    server.next(450, 550);
    const channel = openChannel({ mailUrl: server.url });
    for (const status of [450, 550]) {
      expect(await channel.send(event, mailTo('jane@example.com'), nobody)).toEqual({
        kind: 'failed',
        status,
        error: `the mail server answered ${status} to RCPT TO`,
        retryAfterMs: null,
      });
    }
    const wrong = openChannel({ mailUrl: server.url.replace('a%20secret', 'wrong') });
    const attempt = await wrong.send(event, mailTo('jane@example.com'), nobody);
    expect(attempt).toMatchObject({
      kind: 'failed',
      status: 535,
      error: expect.stringContaining('AUTH') as string,
    });
    await server.close();
    expect(await channel.send(event, mailTo('jane@example.com'), nobody)).toMatchObject({
      status: null,
      error: 'the mail could not be sent to the mail server (ESOCKET)',
    });
  });

  test('fails without a configured mail server', async () => {
    expect(await openChannel().send(event, mailTo('jane@example.com'), nobody)).toMatchObject({
      kind: 'failed',
      error: 'no mail server is set (NIGHTSHIFT_SMTP_URL)',
    });
  });
});

/** Headers by lower-case name, unfolded and decoded (RFC 2047). */
function headersOf(source = ''): Readonly<Record<string, string>> {
  const [head = ''] = source.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => [
      line.split(':')[0]?.toLowerCase() ?? '',
      line
        .slice(line.indexOf(':') + 2)
        .replace(/\?= =\?/g, '?==?')
        .replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, encoded: string) =>
          decodeURIComponent(encoded.replaceAll('_', ' ').replaceAll('=', '%')),
        ),
    ]),
  );
}
