import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { textForm } from '../../../src/adapters/webhooks/mail-layout.ts';
import { webhookBody, webhookHeaders } from '../../../src/adapters/webhooks/standard-webhook.ts';
import { parsePayload } from '../../../src/adapters/webhooks/wire.ts';
import { eventTypes } from '../../../src/core/events/event.ts';
import { messageOf } from '../../../src/core/events/messages/message-of.ts';
import { outboxEntry } from '../../../src/core/work/retry-policies.ts';
import { createWebhookSecret } from '../../../src/core/events/webhook-store.ts';
import { readDocument } from '../../support/docs/markdown.ts';
import { examplePayloads } from '../../support/events/event-payloads.ts';

const text = readDocument('docs/guides/webhooks.md');

/** First block of a language after a heading. */
function blockOf(language: string, after = ''): string {
  const rest = text.slice(text.indexOf(after));
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(rest)?.[1] ?? '';
}

test.each(eventTypes)('the guide shows the payload of %s exactly', (event) => {
  expect(JSON.parse(blockOf('json', `### \`${event}\``))).toEqual(examplePayloads[event]);
});

test('the guide lists the delays of all retries', () => {
  const hours = outboxEntry.delaysMs.slice(3).map((waitMs) => String(waitMs / 3_600_000));
  const reported = /after 5 seconds, 5 minutes, 30 minutes, ([\d,\sand]+)\s+hours/.exec(text)?.[1] ?? '';
  expect(reported.match(/\d+/g)).toEqual(hours);
});

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string;
}

const secrets = [createWebhookSecret(), createWebhookSecret()];
const payload = { ...examplePayloads['scan.changes'], schedule: 'rivälen 🌙' };

function sent(secret: string, { ageMs = 0 } = {}): Sent {
  const event = { eventId: 'evt_1', event: 'scan.changes', createdAt: new Date(), payload, timeZone: null };
  const body = webhookBody(event);
  return { headers: webhookHeaders('evt_1', body, { secrets }, new Date(Date.now() - ageMs)), body, secret };
}

/** Messages, and whether a receiver must accept them. */
const cases: readonly (readonly [name: string, sent: Sent, isOurs: boolean])[] = [
  ['a body with the signature of the first secret', sent(secrets[0] ?? ''), true],
  ['a body with the signature of the second secret', sent(secrets[1] ?? ''), true],
  ['a body with the signature of an unknown secret', sent(createWebhookSecret()), false],
  ['a body that was changed after it was signed', { ...sent(secrets[0] ?? ''), body: '{}' }, false],
  ['a body that is older than five minutes', sent(secrets[0] ?? '', { ageMs: 310_000 }), false],
];

describe('the receiver in JavaScript', () => {
  test.each(cases)('verifies %s', async (_, { headers, body, secret }, isOurs) => {
    const file = join(mkdtempSync(join(tmpdir(), 'nightshift-doc-')), 'receiver.mjs');
    writeFileSync(file, blockOf('js'));
    const receiver = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      isOurs: (headers: object, body: string, secret: string) => boolean;
    };
    expect(receiver.isOurs(headers, body, secret)).toBe(isOurs);
  });
});

const hasPython = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0;
const why = hasPython ? '' : ' (not run: there is no Python 3.9)';

describe('the receiver in Python', () => {
  test.skipIf(!hasPython).each(cases)(`verifies %s${why}`, (_, each, isOurs) => {
    const ask =
      'import json, sys\nsent = json.load(sys.stdin)\nprint(is_ours(sent["headers"], sent["body"].encode(), sent["secret"]))';
    const { stdout, stderr } = spawnSync('python3', ['-c', `${blockOf('python')}\n${ask}`], {
      input: JSON.stringify(each),
      encoding: 'utf8',
    });
    expect([stdout.trim(), stderr]).toEqual([isOurs ? 'True' : 'False', '']);
  });
});

test('the guide shows the message text exactly', () => {
  const parsed = parsePayload('scan.changes', examplePayloads['scan.changes']);
  expect(parsed).not.toBeNull();
  if (parsed !== null) expect(text).toContain(textForm(messageOf(parsed, 'Europe/Berlin')));
});
