import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnvironment } from '../../../../../src/cli/process/environment.ts';
import { settingList } from '../../../../../src/config/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightshift-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'secret');
writeFileSync(file, 'what nobody may see\n');
const empty = join(folder, 'empty');
writeFileSync(empty, '\n');

const secrets = settingList.filter(({ secret }) => secret).map(({ name }) => name);

test('every setting with the name of a secret is marked as secret', () => {
  const names = settingList.map(({ name }) => name);
  const alike = names.filter((name) =>
    /(_KEY|_SECRET|_PASSWORD|_TOKEN|_LOGIN)$|^(DATABASE|REDIS)_URL$|SMTP_URL|(READER|OWNER)_URL/.test(name),
  );
  expect(alike.filter((name) => !secrets.includes(name))).toEqual([]);
});

test.each(secrets)('%s can be read from a file', (name) => {
  const read = readEnvironment({ [`${name}_FILE`]: file });
  expect([read[name], read[`${name}_FILE`]]).toEqual(['what nobody may see', undefined]);
  expect(readEnvironment({ [name]: '', [`${name}_FILE`]: file })[name]).toBe('what nobody may see');
});

test.each([
  [
    'both forms',
    { REDIS_URL: 'redis://a', REDIS_URL_FILE: file },
    'REDIS_URL and REDIS_URL_FILE are both set',
  ],
  ['a missing file', { REDIS_URL_FILE: '/nowhere' }, 'REDIS_URL_FILE: the file /nowhere cannot be read'],
  ['an empty file', { REDIS_URL_FILE: empty }, `REDIS_URL_FILE: the file ${empty} is empty`],
])('%s are rejected with the setting', (_what, variables, words) => {
  expect(() => readEnvironment(variables)).toThrow(words);
});
