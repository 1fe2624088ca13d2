import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../src/package-root.ts';

interface Command {
  readonly href: string;
  readonly name: string;
  readonly kind: string;
}

const address = pathToFileURL(join(packageRoot, 'src/console/command-bar/commands.ts')).href;
const { findCommands } = (await import(address)) as {
  readonly findCommands: (commands: readonly Command[], text: string) => readonly Command[];
};

const commands = [
  ['/review', 'Review', 'Batches'],
  ['/batches/1', 'new rivals.csv', 'Batch'],
  ['/batches/new', 'New batch', 'Action'],
  ['/schedules/1', 'Rivals', 'Schedule'],
].map(([href = '', name = '', kind = '']) => ({ href, name, kind }));
const found = (text: string) => findCommands(commands, text).map(({ href }) => href);

test('the command bar finds every word in names and kinds, regardless of case', () => {
  expect(found('RIVALS')).toEqual(['/schedules/1', '/batches/1']);
  expect(found('rivals schedule')).toEqual(['/schedules/1']);
  expect(found('  new   batch ')).toEqual(['/batches/new', '/batches/1']);
  expect(found('nothing')).toEqual([]);
});

test('the command bar shows the first twelve commands', () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ href: `/${i}`, name: `Batch ${i}`, kind: 'Batch' }));
  expect(findCommands(many, '')).toHaveLength(12);
});
