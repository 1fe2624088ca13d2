/** Tells a person who waits; stdout is for results. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
