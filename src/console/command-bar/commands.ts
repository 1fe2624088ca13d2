/** Address that the command bar offers. */
export interface Command {
  readonly href: string;
  readonly name: string;
  /** Kind of the page: "Batch", "Schedule". */
  readonly kind: string;
  /** The address belongs to the server, not to a page of the console. */
  readonly isOutside?: boolean;
}

const shownMax = 12;

/**
 * Finds the commands whose name or kind contains every word, the first of them those whose name begins with the text. At most twelve.
 */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const start = words.join(' ');
  const found = commands.filter(({ name, kind }) => {
    const whole = `${name} ${kind}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const begins = ({ name }: Command) => Number(!name.toLowerCase().startsWith(start));
  return found.toSorted((one, other) => begins(one) - begins(other)).slice(0, shownMax);
}
