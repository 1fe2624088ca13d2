import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

test('the image runs as its unprivileged user, in a folder that this user may write', () => {
  const lines = read('Dockerfile').split('\n');
  const dataFolder = lines.findIndex((line) => /^RUN mkdir \/data && chown node:node \/data$/.test(line));
  const workdir = lines.indexOf('WORKDIR /data');
  const user = lines.indexOf('USER node');
  expect([dataFolder, workdir, user].every((line) => line > 0)).toBe(true);
  expect(dataFolder).toBeLessThan(user);
  expect(lines.slice(user).filter((line) => /^(USER|WORKDIR|RUN|COPY)/.test(line))).toEqual(['USER node']);
});

test.each(['.gitignore', '.dockerignore'])('%s excludes files with settings and secrets', (name) => {
  expect(read(name).split('\n')).toEqual(expect.arrayContaining(['.env', '.env.*']));
});
