import type { CommandContext } from './command-context.ts';

/** Explains how to end typed input: a command that waits for it looks as if it hangs. */
export function noteTyping({ stdin, output }: Pick<CommandContext, 'stdin' | 'output'>): void {
  if ('isTTY' in stdin && stdin.isTTY === true)
    output.note('Reading from the terminal. Press Ctrl-D to end the input, Ctrl-C to cancel.');
}
