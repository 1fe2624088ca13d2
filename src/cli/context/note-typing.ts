import type { CommandContext } from './command-context.ts';

/** Says how input ends that is typed: a command that waits for it looks as if it hung. */
export function noteTyping({ stdin, output }: Pick<CommandContext, 'stdin' | 'output'>): void {
  if ('isTTY' in stdin && stdin.isTTY === true)
    output.note('Reading from the terminal. Ctrl-D ends the input, Ctrl-C the command.');
}
