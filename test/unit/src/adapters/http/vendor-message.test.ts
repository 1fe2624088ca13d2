import { expect, test } from 'vitest';
import { vendorMessage } from '../../../../../src/adapters/http/vendor-message.ts';

const messageIn = (body: unknown, ...secrets: readonly string[]) =>
  vendorMessage(typeof body === 'string' ? body : JSON.stringify(body), secrets);

test.each([
  [{ error: 'Missing query `q` parameter.' }, 'Missing query `q` parameter.'],
  [{ error: { code: 400, message: 'Bad region' } }, 'Bad region'],
  [{ errors: [{ code: 'x', title: 'No plan' }] }, 'No plan'],
  [{ errors: ['No plan'] }, 'No plan'],
  [{ message: 'No plan', error: 'Bad Request' }, 'No plan'],
  [{ status_code: 40_501, status_message: 'Invalid Field.', tasks: null }, 'Invalid Field.'],
  [{ status_message: 'Ok.', tasks: [{ status_message: 'Invalid Field.' }] }, 'Invalid Field.'],
  ['plain text', 'plain text'],
])('message of %j is %s', (body, reported) => expect(messageIn(body)).toBe(reported));

test.each(['', '  ', '{}', '[]', 'null', '7', '<html><p>Error', { error: '' }, { error: 7 }])(
  '%j has no message',
  (body) => expect(messageIn(body)).toBeNull(),
);

test('vendor message masks secrets of the request in every encoding', () => {
  const key = 'a secret/key';
  const reported = messageIn(
    {
      error: `${key} ${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')} https://x.example/?api_key=Q&a=1`,
    },
    key,
  );
  expect(reported).toBe('… … … https://x.example/?a=1');
});

test('vendor message is one line of at most 200 characters, without terminal control characters', () => {
  expect(messageIn({ error: 'a\n\tb\u001b[31mc\u202e\0d' })).toBe('a b [31mc d');
  const long = messageIn({ error: 'x'.repeat(5_000) });
  expect([long?.length, long?.endsWith('x…')]).toEqual([200, true]);
});
