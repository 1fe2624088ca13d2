import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { commandNotes, commandsOf } from '../../../src/cli/command-notes.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { readDocument } from '../../support/docs/markdown.ts';
import { plainCommands } from '../../support/docs/plain-commands.ts';
import { offlinePages } from '../../support/docs/reference/pages.ts';

test.each(Object.entries(offlinePages))('%s is up to date (`npm run docs` writes it)', (file, pageText) => {
  expect(readDocument(file)).toBe(pageText());
});

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
const ignore = () => Promise.resolve();

test('every command has an example, and every example belongs to a command', () => {
  const commands = commandsOf(createProgram({ stdout: nowhere, stderr: nowhere }, ignore));
  expect(Object.keys(commandNotes).sort()).toEqual(commands.map(({ words }) => words).sort());
  for (const { words } of commands) expect(commandNotes[words]?.examples, words).not.toEqual([]);
});

const examples = Object.entries(commandNotes).flatMap(([words, notes]) =>
  notes.examples.map((example) => ({ words, example })),
);

test.each(examples)(
  'nightshift $example has arguments that the command accepts',
  async ({ words, example }) => {
    const [args = []] = plainCommands(`npx nightshift ${example}\n`) ?? [];
    expect(args.join(' ')).toMatch(new RegExp(`^${words}( |$)`));
    let runs = 0;
    const count = async () => void (runs += 1);
    const program = createProgram({ stdout: nowhere, stderr: nowhere }, count);
    await program.parseAsync(args, { from: 'user' });
    expect(runs).toBe(1);
  },
);
