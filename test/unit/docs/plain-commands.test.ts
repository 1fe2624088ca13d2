import { expect, test } from 'vitest';
import { plainCommands } from '../../support/docs/plain-commands.ts';

test.each([
  ['npx nightshift sources\n', [['sources']]],
  ['# First\nnpx nightshift sql "select \'a\' > 1" --json\n', [['sql', "select 'a' > 1", '--json']]],
  ['npx nightshift stop\nnpx nightshift status | head\n', null],
  ['KEY=$(npx nightshift keys create)\n', null],
  ['npx nightshift sql "$QUERY"\n', null],
  ['npx nightshift users > users.txt\n', null],
])('%j splits into %j', (block, commands) => {
  expect(plainCommands(block)).toEqual(commands);
});
