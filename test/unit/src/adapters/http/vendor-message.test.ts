import { expect, test } from 'vitest';
import { vendorMessage } from '../../../../../src/adapters/http/vendor-message.ts';

const words = (body: unknown, ...secrets: readonly string[]) =>
  vendorMessage(typeof body === 'string' ? body : JSON.stringify(body), secrets);

test.each([
  [{ error: 'Missing query `q` parameter.' }, 'Missing query `q` parameter.'],
  [{ error: { code: 400, message: 'Bad region' } }, 'Bad region'],
  [{ errors: [{ code: 'x', title: 'No plan' }] }, 'No plan'],
  [{ errors: ['No plan'] }, 'No plan'],
  [{ message: 'No plan', error: 'Bad Request' }, 'No plan'],
  [{ status_code: 40_501, status_message: 'Invalid Field.', tasks: null }, 'Invalid Field.'],
  [{ status_message: 'Ok.', tasks: [{ status_message: 'Invalid Field.' }] }, 'Invalid Field.'],
  ['plain words', 'plain words'],
])('%j says %s', (body, reported) => expect(words(body)).toBe(reported));

test.each(['', '  ', '{}', '[]', 'null', '7', '<html><p>Error', { error: '' }, { error: 7 }])(
  '%j says nothing',
  (body) => expect(words(body)).toBeNull(),
);

test('what was sent in secret is masked, however it is written', () => {
  const key = 'a secret/key';
  const reported = words(
    {
      error: `${key} ${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')} https://x.example/?api_key=Q&a=1`,
    },
    key,
  );
  expect(reported).toBe('… … … https://x.example/?a=1');
});

test('it is one line, without anything that steers a terminal, and not long', () => {
  expect(words({ error: 'a\n\tb\u001b[31mc\u202e\0d' })).toBe('a b [31mc d');
  const long = words({ error: 'x'.repeat(5_000) });
  expect([long?.length, long?.endsWith('x…')]).toEqual([200, true]);
});
