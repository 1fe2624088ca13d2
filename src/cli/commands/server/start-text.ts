/** Formats what a server offers, one name and value a line, and how to stop it. The text comes last: after it, everything runs. */
export function startText(lines: readonly (readonly [name: string, value: string])[]): string {
  return [...lines.map(([name, value]) => `${name.padEnd(9)} ${value}`), 'Press Ctrl-C to stop'].join('\n');
}
