import { describe, expect, test } from 'vitest';
import { findOwnCommand, shellWord, withOwnCommand } from '../../../../../src/cli/process/own-command.ts';

describe('own command', () => {
  const path = '/usr/local/bin:/usr/bin';

  test.each([
    ['a global installation', '/usr/local/bin/nightshift', { PATH: path }, 'nightshift'],
    ['the Docker image', '/usr/local/bin/nightshift', { PATH: `${path}:/bin` }, 'nightshift'],
    [
      'npx in a clone',
      '/app/node_modules/.bin/nightshift',
      { PATH: `/app/node_modules/.bin:${path}`, npm_command: 'exec' },
      'npx nightshift',
    ],
    [
      'an npm script',
      '/app/node_modules/.bin/nightshift',
      { PATH: `/app/node_modules/.bin:${path}`, npm_command: 'run-script' },
      'npx nightshift',
    ],
    ['the path of the script', '/app/src/cli/nightshift.js', { PATH: path }, 'npx nightshift'],
    [
      'a path that the shell does not search',
      '/app/node_modules/.bin/nightshift',
      { PATH: path },
      'npx nightshift',
    ],
  ])('after a start by %s', (_, script, variables, command) => {
    expect(findOwnCommand({ args: ['node', script, 'status'], variables })).toBe(command);
  });
});

describe('commands of a text', () => {
  test.each([
    ['run `nightshift schedule list`', 'run `npx nightshift schedule list`'],
    ['nightshift up or nightshift work', 'npx nightshift up or npx nightshift work'],
    ['npx nightshift status', 'npx nightshift status'],
    ['/home/nightshift status', '/home/nightshift status'],
    ['the role nightshift of the database', 'the role nightshift of the database'],
  ])('%j becomes %j', (text, shown) => {
    expect(withOwnCommand(text, 'npx nightshift')).toBe(shown);
  });
});

test.each([
  ['crm', 'crm'],
  ['our crm', `'our crm'`],
  [`O'Neill`, `'O'\\''Neill'`],
])('name %j is written %s on a command line', (name, word) => {
  expect(shellWord(name)).toBe(word);
});
