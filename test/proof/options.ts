import { parseArgs } from 'node:util';
import { proofCases } from './cases.ts';

/** Options of the proof. */
export interface ProofOptions {
  /** Names of the wanted cases; none means all. */
  readonly names: readonly string[];
  /** Print the cases instead of running them. */
  readonly isList: boolean;
  /** The size of the gate instead of the full one. Such a run is not recorded. */
  readonly isSmall: boolean;
  /** Run cases again that have passed. */
  readonly isAgain: boolean;
  readonly json: boolean;
  /** Seed of every case; null gives each its own. */
  readonly seed: string | null;
}

/** Usage. */
export const usage = `npm run proof -- [CASE…] [--list] [--small] [--again] [--seed SEED] [--json]

Proves the promises of docs/contributing/proof.md at full size, one case after the other, which takes hours. It goes on where an earlier
run ended: a case that has passed with the same code is not run again.

  --list        list the cases with their expected times and results
  --small       the size of the gate; leaves the record as it is
  --again       run the cases that have passed, too
  --seed SEED   repeat a run: eight hexadecimal digits, as it printed them
  --json        print the results as JSON

Cases: ${proofCases.map(({ name }) => name).join(', ')}.`;

/** Thrown for an invalid command line; the message is the reason. */
export class UsageError extends Error {}

/**
 * Parses the command line.
 *
 * @throws UsageError with the reason.
 */
export function parseOptions(argv: readonly string[]): ProofOptions {
  const { values, positionals } = parseArguments(argv);
  return {
    names: parseNames(positionals),
    isList: values.list,
    isSmall: values.small,
    isAgain: values.again,
    json: values.json,
    seed: parseSeed(values.seed),
  };
}

function parseArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options: known });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

const known = {
  list: { type: 'boolean', default: false },
  small: { type: 'boolean', default: false },
  again: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  seed: { type: 'string' },
} as const;

function parseNames(names: readonly string[]): readonly string[] {
  const unknown = names.filter((name) => !proofCases.some((known) => known.name === name));
  if (unknown.length === 0) return names;
  throw new UsageError(
    `There is no case ${unknown.join(', ')}. Choose of: ${proofCases.map(({ name }) => name).join(', ')}.`,
  );
}

function parseSeed(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[0-9a-f]{8}$/.test(text))
    throw new UsageError(`--seed ${text}: expected eight hexadecimal digits, such as 1a2b3c4d.`);
  return text;
}
