import type { Argument, Command, Option } from 'commander';
import { commandNotes, commandsOf } from '../../../../src/cli/command-notes.ts';
import { exitCodeMeanings, exitCodes } from '../../../../src/cli/context/exit-codes.ts';
import { createProgram } from '../../../../src/cli/program.ts';
import { Writable } from 'node:stream';
import { code, joinParts, markdownTable, pageHead, sentence } from './markdown-page.ts';

/** Contents of docs/reference/cli.md, from the program that parses the arguments. */
export function cliPage(): string {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const program = createProgram({ stdout: nowhere, stderr: nowhere }, () => Promise.resolve());
  const all = commandsOf(program);
  const groups = [...new Set(program.commands.map((command) => command.helpGroup()))];
  return joinParts([
    pageHead('Commands', intro),
    '## Exit codes',
    markdownTable(
      ['Code', 'Meaning'],
      codesByName.map(([name, value]) => [String(value), sentence(exitCodeMeanings[name])]),
    ),
    'A command lists its own meanings of these codes below. An unexpected error also exits with 1.',
    ...groups.flatMap((group) => [
      `## ${group.replace(/:$/, '')}`,
      ...all
        .filter(({ command, words }) => groupOf(program, words, command) === group)
        .map(({ command, words }) => commandPart(command, words)),
    ]),
  ]);
}

const intro = `Run a command as \`npx nightshift COMMAND\`, or as \`nightshift COMMAND\` after an installation. Results go to stdout, messages and progress
to stderr. With \`--json\` a command prints one JSON document. \`nightshift COMMAND --help\` shows the text of this page.`;

const codesByName = Object.entries(exitCodes) as [keyof typeof exitCodes, number][];

function groupOf(program: Command, words: string, command: Command): string {
  const top = program.commands.find((each) => each.name() === words.split(' ')[0]) ?? command;
  return top.helpGroup();
}

function commandPart(command: Command, words: string): string {
  const notes = commandNotes[words];
  const options = command.options.filter((option) => !option.hidden);
  return joinParts([
    `### nightshift ${words}`,
    sentence(command.description()),
    `\`\`\`text\n${synopsisOf(command, words)}\n\`\`\``,
    command.commands.length === 0
      ? ''
      : `Subcommands: ${command.commands.map((each) => linkTo(`${words} ${each.name()}`, each.name())).join(', ')}.`,
    command.registeredArguments.some(({ description }) => description !== '')
      ? markdownTable(
          ['Argument', 'Meaning'],
          command.registeredArguments.map((argument) => [
            code(argumentText(argument)),
            sentence(argument.description),
          ]),
        )
      : '',
    options.length === 0
      ? ''
      : markdownTable(
          ['Option', 'Meaning', 'Default'],
          options.map((option) => [code(option.flags), meaningOf(option), defaultOf(option)]),
        ),
    exitsOf(words),
    notes === undefined
      ? ''
      : `\`\`\`console\n${notes.examples.map((example) => `npx nightshift ${example}`).join('\n')}\n\`\`\``,
  ]).trimEnd();
}

function linkTo(words: string, text: string): string {
  return `[${text}](#nightshift-${words.replaceAll(' ', '-')})`;
}

function synopsisOf(command: Command, words: string): string {
  const hasOptions = command.options.some((option) => !option.hidden);
  const required = command.options.filter((option) => option.mandatory).map((option) => option.flags);
  return ['nightshift', words, ...command.registeredArguments.map(argumentText), ...required]
    .concat(hasOptions ? ['[options]'] : [])
    .join(' ');
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Default that stands at the end of a description, where commander does not fill it in itself. */
const writtenDefault = /\s*\(default: (.*)\)$|^default: (.*)$/;

function meaningOf({ description, argChoices, mandatory }: Option): string {
  const text = sentence(description.replace(/ \(required\)$/, '').replace(writtenDefault, ''));
  const choices = argChoices === undefined ? '' : `One of ${argChoices.map(code).join(', ')}.`;
  return [text, choices, mandatory ? 'Required.' : ''].filter((part) => part !== '').join(' ');
}

function defaultOf({ description, defaultValue }: Option): string {
  const value: unknown = defaultValue;
  if (typeof value === 'string') return code(value);
  const [, last, only] = writtenDefault.exec(description) ?? [];
  return (last ?? only ?? '').replace(/<.*>\S*/, code);
}

function exitsOf(words: string): string {
  const exits = commandNotes[words]?.exits ?? {};
  const rows = codesByName
    .filter(([name]) => exits[name] !== undefined)
    .map(([name, value]) => [String(value), exits[name] ?? '']);
  return rows.length === 0 ? '' : markdownTable(['Exit code', 'Meaning'], rows);
}
