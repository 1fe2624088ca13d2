import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

/** Password that no message may contain. */
const secret = 'hunter2';

const http = createServer((_request, response) => response.end('This is no Postgres.'));
beforeAll(async () => {
  cli().write('companies.csv', 'domain\nnike.com\n');
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void http.close());

/** Returns the URL of the test server with one change. */
function changed(change: (url: URL) => void): string {
  const url = new URL(inject('postgresUrl'));
  change(url);
  return url.href;
}

/** Cases: error, URL, exit code, and beginning of the remedy. */
const wrong: readonly (readonly [what: string, url: () => string, exitCode: number, remedy: string])[] = [
  ['no address', () => secret, 2, 'must begin with postgres://'],
  ['another protocol', () => `mysql://u:${secret}@localhost/x`, 2, 'must begin with postgres://'],
  [
    'a port that there is not',
    () => `postgres://u:${secret}@localhost:99999/x`,
    2,
    'The form is postgres://',
  ],
  ['a # in the password', () => `postgres://u:${secret}#1@localhost/x`, 2, 'encode # / ? @ : % as %23'],
  [
    'a host where nobody listens',
    () => `postgres://u:${secret}@127.0.0.1:1/x`,
    5,
    'Check that the server runs',
  ],
  [
    'a host that there is not',
    () => `postgres://u:${secret}@no-host.invalid/x`,
    5,
    'Check that the server runs',
  ],
  [
    'a server that is no Postgres',
    () => `postgres://u:${secret}@127.0.0.1:${(http.address() as AddressInfo).port}/x`,
    5,
    'Check that the server runs',
  ],
  ['a database that there is not', () => changed((url) => (url.pathname = '/nowhere')), 2, 'Create it'],
  [
    'a user that there is not',
    () => changed((url) => ([url.username, url.password] = ['nobody', secret])),
    2,
    'Check the user and the password',
  ],
  [
    'encryption that the server lacks',
    () => changed((url) => (url.search = '?sslmode=verify-full')),
    2,
    'sslmode',
  ],
  [
    'a certificate that is not there',
    () => changed((url) => (url.search = '?sslrootcert=/nowhere.pem')),
    2,
    'sslrootcert',
  ],
];

const commands = [
  ['status'],
  ['migrate'],
  ['enrich', 'companies.csv', '--source', 'sample'],
  ['sql', 'select 1'],
  ['up'],
];

describe.each(wrong)('DATABASE_URL with %s', (_, url, exitCode, remedy) => {
  test.each(commands)('ends `nightshift %s` with one error and a remedy', async (...args) => {
    const ended = await cli().call(args, { environment: { DATABASE_URL: url() } });
    expect(ended).toMatchObject({ exitCode, stdout: '' });
    expect(ended.stderr).toContain(remedy);
    expect(ended.stderr).toMatch(/^(Configuration|Error): /);
    expect(ended.stderr).not.toMatch(/^ +at |hunter2|Unexpected|NaN|undefined/m);
  });
});

test('a rejected reader login is reported with its setting', async () => {
  const environment = {
    NIGHTSHIFT_READER_URL: changed((url) => ([url.username, url.password] = ['nobody', secret])),
  };
  const ended = await cli().call(['sql', 'select 1'], { environment });
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain('NIGHTSHIFT_READER_URL');
  expect(ended.stderr).not.toMatch(/^ +at |hunter2/m);
});
