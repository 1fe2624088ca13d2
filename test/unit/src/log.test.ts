import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog, logLosses, redact } from '../../../src/log.ts';

const key = `ns_live_${'a1B2'.repeat(9)}`;

describe('redaction of a line', () => {
  test.each([
    ['an API key', `the key ${key} was refused`, 'the key ns_live_… was refused'],
    ['an API key in a header', `{"x-api-key":"${key}"}`, '{"x-api-key":"ns_live_…"}'],
    ['a password in a URL', 'postgres://app:s3cret@db:5432/x', 'postgres://app:…@db:5432/x'],
    ['a password without a user', 'redis://:s3cret@cache:6379', 'redis://:…@cache:6379'],
    ['the password of each node', 'rediss://u:a1@one,rediss://u:b2@two', 'rediss://u:…@one,rediss://u:…@two'],
    ['an e-mail address', 'no answer for jane.doe+x@mail.example.com today', 'no answer for …@… today'],
    ['an address in angle brackets', 'Jane <jane@example.com>', 'Jane <…@…>'],
    [
      'an address in JSON text within JSON',
      '{\\"email\\":\\"jane@example.com\\"}',
      '{\\"email\\":\\"…@…\\"}',
    ],
    ['an address after a colon', 'mailto:jane@example.com', 'mailto:…@…'],
    ['an address at the end', 'jane@example.com', '…@…'],
    ['an address in capitals', 'JANE@EXAMPLE.COM', '…@…'],
    ['an address with international letters', 'müller@bücher.example and иван@почта.рф', '…@… and …@…'],
    ['adjacent addresses', 'a@x.io,b@y.io', '…@…,…@…'],
  ])('masks %s', (_, line, expected) => {
    expect(redact(line)).toBe(expected);
  });

  test.each([
    'postgres://db:5432/x without a password',
    'https://api.test/v1/ads?company=nike.com',
    'at 10:30:12 batch bat_01 was finished',
    'npm i left-pad@1.3.0',
    'an @ sign alone',
  ])('keeps text without secrets: %s', (line) => {
    expect(redact(line)).toBe(line);
  });

  test('covers lines of any length', () => {
    const long = 'x'.repeat(200_000);
    expect(redact(`${long} jane@example.com ${long}`)).toBe(`${long} …@… ${long}`);
  });
});

describe('a log', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('writes JSON lines to stderr with a time and its fields, and nothing to stdout', () => {
    const { lines, toStdout } = listen();
    createLog('info').info({ batchId: 7 }, 'A batch was finished.');
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/Z$/) as string,
        batchId: 7,
        msg: 'A batch was finished.',
      },
    ]);
    expect(toStdout).not.toHaveBeenCalled();
  });

  test('masks secrets in objects, messages, errors and causes', () => {
    const { text } = listen();
    const secrets = { key, url: 'postgres://app:s3cret@db/x', mail: 'jane@example.com' };
    const log = createLog('info');
    log.info(
      { given: secrets, deep: { deeper: { list: [secrets.mail, secrets.url] } } },
      `for ${secrets.mail}`,
    );
    const cause = new Error(`login failed for ${secrets.url}`);
    log.warn(
      { err: new Error(`no answer for ${secrets.mail} with ${key}`, { cause }) },
      'A job met an error.',
    );
    log.warn(
      { key: 'short', password: 'hunter2', headers: { cookie: 'c00kie' } },
      'Fields that are secret by name.',
    );
    for (const secret of [key, 's3cret', 'jane', 'hunter2', 'c00kie', 'short'])
      expect(text()).not.toContain(secret);
  });

  test('writes nothing below its level', () => {
    const { text } = listen();
    createLog('error').warn('Not to be seen.');
    createLog('silent').error('Not to be seen.');
    expect(text()).toBe('');
  });

  function listen() {
    let written = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      written += String(chunk);
      return true;
    });
    const toStdout = vi.spyOn(process.stdout, 'write');
    const lines = () =>
      written
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    return { text: () => written, lines, toStdout };
  }
});

test('connections that are lost in the same second are two lines', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: Record<string, unknown>[] = [];
  const log = createLog('warn', (line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
  const lose = logLosses(log, 'connection lost');
  const loseSome = (count: number) => {
    for (let n = 0; n < count; n += 1) lose(new Error('read ECONNRESET'));
    vi.advanceTimersByTime(1000);
  };
  loseSome(30);
  loseSome(1);
  expect(lines.map(({ msg, count }) => [msg, count])).toEqual([
    ['connection lost', undefined],
    ['connection lost, as were others', 29],
    ['connection lost', undefined],
  ]);
});
