import { delimiter, dirname, resolve } from 'node:path';
import { commandNotes } from '../command-notes.ts';

/** Start of the process: its arguments and environment. */
export interface StartedAs {
  /** As `process.argv`: the second is the path of the script. */
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the command that starts this command line again in the same shell: `nightshift` where the shell finds it, as after a global
 * installation and in the Docker image; `npx nightshift` in a clone, and in a project that has it as a dependency.
 */
export function findOwnCommand({ args, variables }: StartedAs): string {
  // npm and npx put the folder of the script on the path of this process, but not of the shell.
  const isUnderNpm = variables['npm_command'] !== undefined;
  return !isUnderNpm && isOnPath(args[1], variables['PATH']) ? 'nightshift' : 'npx nightshift';
}

function isOnPath(script = '', path = ''): boolean {
  if (!/[/\\]nightshift$/.test(script)) return false;
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => resolve(folder) === dirname(script));
}

const names = [...new Set(Object.keys(commandNotes).map((words) => words.split(' ')[0] ?? ''))];

/** `nightshift` before the name of a command: not in a path, and not in `npx nightshift`. */
const commands = new RegExp(`(?<![\\w./@-])(?<!npx )nightshift (?=(?:${names.join('|')})\\b)`, 'g');

/** Replaces `nightshift` in the commands of a text by the own command, so that they run as printed. */
export function withOwnCommand(text: string, ownCommand: string): string {
  return text.replace(commands, `${ownCommand} `);
}

/** Formats an argument of a command for a shell: in single quotes if it needs them. */
export function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
