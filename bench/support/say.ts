/** Prints a message for the user; stdout is for results. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
