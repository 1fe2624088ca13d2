/**
 * Arguments of each command of a block that consists of plain `npx nightshift …` lines, so that they can run without a process each; null
 * if the block needs a shell, for pipes, variables or other programs.
 */
export function plainCommands(block: string): readonly (readonly string[])[] | null {
  const lines = block
    .trim()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const commands = lines.map(argumentsOf);
  return commands.every((args) => args !== null) ? commands : null;
}

const word = String.raw`(?:"[^"$\`\\]*"|'[^']*'|[\w./:=@,+-]+)`;
const plain = new RegExp(`^npx nightshift(?: ${word})+$`);

function argumentsOf(line: string): readonly string[] | null {
  if (!plain.test(line)) return null;
  const words = line.match(new RegExp(word, 'g')) ?? [];
  return words.slice(2).map((each) => each.replace(/^(["'])([\s\S]*)\1$/, '$2'));
}
