import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { htmlForm } from '../../../../../src/adapters/webhooks/mail-layout.ts';
import { slackBody } from '../../../../../src/adapters/webhooks/slack-body.ts';
import { webhookBody, webhookHeaders } from '../../../../../src/adapters/webhooks/standard-webhook.ts';
import { createWebhookSecret } from '../../../../../src/core/events/webhook-store.ts';
import { examplePayloads } from '../../../../support/events/event-payloads.ts';

const event = {
  eventId: 'evt_1',
  event: 'scan.changes',
  createdAt: new Date('2026-11-22T01:12:13.456Z'),
  payload: examplePayloads['scan.changes'],
  timeZone: null,
};

describe('a webhook body', () => {
  test('has the event type, the time and the payload', () => {
    expect(JSON.parse(webhookBody(event))).toEqual({
      type: 'scan.changes',
      timestamp: '2026-11-22T01:12:13.456Z',
      data: examplePayloads['scan.changes'],
    });
  });

  test('stays below 20 kB with names of any length', () => {
    const name = '\u0000'.repeat(5000);
    const top = Array.from({ length: 5 }, () => ({ company: name, new: 1, ended: 1 }));
    const payload = { ...examplePayloads['scan.changes'], schedule: name, retry_command: name, top };
    const body = webhookBody({ ...event, payload });
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    expect(JSON.parse(body)).toMatchObject({ data: { changes: { new: 4 } } });
  });

  test('is signed with every active secret and verifies with the Standard Webhooks library', () => {
    const body = webhookBody(event);
    const secrets = [createWebhookSecret(), createWebhookSecret()];
    const headers = webhookHeaders('evt_1', body, { secrets }, new Date());
    for (const secret of secrets) expect(new Webhook(secret).verify(body, { ...headers })).toBeTruthy();
    expect(() => new Webhook(createWebhookSecret()).verify(body, { ...headers })).toThrow(
      'No matching signature',
    );
    expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, { ...headers })).toThrow(
      'No matching signature',
    );
    const other = { ...headers, 'webhook-id': 'evt_2' };
    expect(() => new Webhook(secrets[0] ?? '').verify(body, other)).toThrow('No matching signature');
  });

  test('is signed with a secret of 32 random bytes', () => {
    const secrets = Array.from({ length: 20 }, createWebhookSecret);
    expect(new Set(secrets).size).toBe(20);
    for (const secret of secrets)
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  });
});

const hostile = {
  headline: 'New at <!channel> & "friends"',
  fields: [{ label: 'Most at', text: '<https://evil.example|nike.com> <img src=x onerror=alert(1)>' }],
  steps: [{ what: 'Try', command: "nightshift retry '<b>'" }],
};

describe('a Slack body', () => {
  test('has the headline as text and the whole message in one section', () => {
    const message = {
      headline: 'Done',
      fields: [{ label: 'Rows', text: '3' }],
      steps: [{ what: 'Try', command: 'x' }],
    };
    expect(JSON.parse(slackBody(message))).toEqual({
      text: 'Done',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*Done*\nRows: 3\nTry: `x`' } }],
    });
  });

  test('has no mentions and no links, even with hostile names', () => {
    const body = slackBody(hostile);
    expect(JSON.parse(body)).toMatchObject({ text: 'New at &lt;!channel&gt; &amp; "friends"' });
    expect(body).not.toMatch(/[<>]/);
  });

  test('is truncated at a line end to the length limit of Slack', () => {
    const fields = Array.from({ length: 40 }, (_, i) => ({ label: `${i}`, text: '&'.repeat(100) }));
    const { blocks } = JSON.parse(slackBody({ ...hostile, fields })) as {
      blocks: { text: { text: string } }[];
    };
    expect(blocks[0]?.text.text.length).toBeLessThanOrEqual(3000);
    expect(blocks[0]?.text.text).toMatch(/&amp;$/);
  });
});

test('the HTML of a mail escapes all markup in names', () => {
  const html = htmlForm(hostile);
  expect(html).toContain('New at &lt;!channel&gt; &amp; &quot;friends&quot;');
  expect(html).toContain('nightshift retry &#39;&lt;b&gt;&#39;');
  expect([...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag)).toEqual(
    expect.not.arrayContaining(['img', 'b', 'a', 'script']),
  );
});
