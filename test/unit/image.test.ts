import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

test('the image works where its user may write, and as nobody else than its user', () => {
  const lines = read('Dockerfile').split('\n');
  const made = lines.findIndex((line) => /^RUN mkdir \/data && chown node:node \/data$/.test(line));
  const entered = lines.indexOf('WORKDIR /data');
  const user = lines.indexOf('USER node');
  expect([made, entered, user].every((line) => line > 0)).toBe(true);
  expect(made).toBeLessThan(user);
  expect(lines.slice(user).filter((line) => /^(USER|WORKDIR|RUN|COPY)/.test(line))).toEqual(['USER node']);
});

test.each(['.gitignore', '.dockerignore'])('%s leaves files with settings and secrets out', (name) => {
  expect(read(name).split('\n')).toEqual(expect.arrayContaining(['.env', '.env.*']));
});
