import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  boundLog,
  logPath,
  openLog,
  readLogSize,
  readLogTail,
} from '../../../../src/postgres-server/server-log.ts';

const ourselves = { name: 'us', uid: 0, gid: 0, spawnAs: {} };

let folder = '';
let data = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nightshift-log-'));
  data = join(folder, 'postgres-18');
});
afterEach(() => rm(folder, { recursive: true }));

test('a log that is too large is rotated, and its writer continues in the emptied file', async () => {
  const log = await openLog(data, ourselves);
  await log.write('x'.repeat(9 * 1024 * 1024));
  await boundLog(data);
  await log.write('next');
  await log.close();
  expect(await readFile(logPath(data), 'utf8')).toBe('next');
  expect((await stat(`${logPath(data)}.old`)).size).toBe(9 * 1024 * 1024);
});

test('a small log stays unchanged, and a missing one is not an error', async () => {
  await boundLog(data);
  expect(await readLogSize(data)).toBe(0);
  await writeFile(logPath(data), 'small');
  await boundLog(data);
  expect(await readLogSize(data)).toBe(5);
});

test('the tail contains at most twelve lines, only those since the start', async () => {
  await writeFile(logPath(data), 'before\n');
  const size = await readLogSize(data);
  const log = await openLog(data, ourselves);
  await log.write(Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join(''));
  await log.close();
  const tail = (await readLogTail(data, size)).split('\n');
  expect(tail).toHaveLength(12);
  expect(tail.at(-1)).toBe('line 19');
  expect((await readLogTail(data, 0)).includes('before')).toBe(false);
});

test('a symbolic link in place of the log is not followed', async () => {
  await symlink(join(folder, 'elsewhere'), logPath(data));
  await expect(openLog(data, ourselves)).rejects.toThrow('ELOOP');
});
