import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Misconfigured } from '../../../../src/core/errors.ts';
import { createPasswords } from '../../../../src/postgres-server/passwords.ts';
import {
  createState,
  parseState,
  readState,
  replaceState,
  statePath,
} from '../../../../src/postgres-server/state.ts';

const passwords = createPasswords();
const fields = { dataFolder: 'postgres-18', port: 20854, passwords, binariesFolder: '/bin', version: '18.4' };

describe('parseState', () => {
  test('resolves a relative data folder within the home folder', () => {
    expect(parseState(JSON.stringify(fields), '/home/a').dataFolder).toBe('/home/a/postgres-18');
  });

  test.each([
    ['port', { ...fields, port: 0 }],
    ['port', { ...fields, port: '20854' }],
    ['dataFolder', { ...fields, dataFolder: undefined }],
    ['binariesFolder', { ...fields, binariesFolder: 7 }],
    ['version', { ...fields, version: '' }],
    ['passwords.postgres', { ...fields, passwords: undefined }],
    ['passwords.nightshift_app', { ...fields, passwords: { ...passwords, nightshift_app: "a'b" } }],
  ])('names the invalid field %s', (name, value) => {
    expect(() => parseState(JSON.stringify(value), '/h')).toThrow(Misconfigured);
    expect(() => parseState(JSON.stringify(value), '/h')).toThrow(`/h/postgres.json is damaged: ${name} is`);
  });

  test.each(['', '{', '7', 'null'])('rejects %j with a remedy', (text) => {
    expect(() => parseState(text, '/h')).toThrow(/not .*JSON.* Delete the file/s);
  });
});

describe('the state file', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'nightshift-state-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  test('is readable by its owner only and leaves no other file', async () => {
    await createState(home, parseState(JSON.stringify(fields), home));
    expect((await stat(statePath(home))).mode & 0o777).toBe(0o600);
    expect(await readdir(home)).toEqual(['postgres.json']);
  });

  test('is that of the first of concurrent processes', async () => {
    const states = [1, 2, 3, 4].map((port) => parseState(JSON.stringify({ ...fields, port }), home));
    const answers = await Promise.all(states.map((state) => createState(home, state)));
    expect(new Set(answers.map((state) => state.port)).size).toBe(1);
    expect(await readState(home)).toEqual(answers[0]);
  });

  test('is valid after the home folder was moved', async () => {
    await replaceState(home, parseState(JSON.stringify(fields), home));
    expect(await readFile(statePath(home), 'utf8')).toContain('"dataFolder": "postgres-18"');
    const moved = `${home}-moved`;
    await rename(home, moved);
    expect((await readState(moved))?.dataFolder).toBe(join(moved, 'postgres-18'));
    await rename(moved, home);
  });

  test('keeps an absolute path of a data folder outside of the home folder', async () => {
    await replaceState(home, {
      ...parseState(JSON.stringify(fields), home),
      dataFolder: '/var/x/postgres-18',
    });
    expect((await readState(home))?.dataFolder).toBe('/var/x/postgres-18');
  });

  test('may be missing, but not damaged', async () => {
    expect(await readState(home)).toBeUndefined();
    await writeFile(statePath(home), 'x');
    await expect(readState(home)).rejects.toThrow(Misconfigured);
  });
});
