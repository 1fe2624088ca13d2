import { join } from 'node:path';
import { seededBugs } from './bugs.ts';
import { copyTree } from './copy-tree.ts';
import { printJson, printMarkdown, printTable } from './print.ts';
import { prove, proveSound, type Proof } from './prove.ts';

/**
 * `npm run test:seeded-bugs -- [--json | --markdown] [NAME…]`: takes one guard after the other away, in a copy of the tree, and
 * expects the tests to fail. Exit 0 when every bug was caught.
 */
async function main(args: readonly string[]): Promise<number> {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const bugs = seededBugs.filter(({ name }) => names.length === 0 || names.includes(name));
  const tree = copyTree(join(import.meta.dirname, '../..'));
  try {
    const sound = await proveSound(tree.root, bugs);
    tell(`${sound.ran} tests pass without a bug (${sound.seconds.toFixed(0)} s)`);
    const proofs: Proof[] = [];
    for (const bug of bugs) {
      const proof = await prove(tree.root, bug);
      tell(`${proof.verdict}: ${bug.name} (${proof.seconds.toFixed(0)} s)`);
      proofs.push(proof);
    }
    process.stdout.write(printerOf(args)(proofs));
    return proofs.length > 0 && proofs.every(({ verdict }) => verdict === 'caught') ? 0 : 1;
  } finally {
    tree.close();
  }
}

function printerOf(args: readonly string[]): (proofs: readonly Proof[]) => string {
  if (args.includes('--json')) return printJson;
  return args.includes('--markdown') ? printMarkdown : printTable;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

process.exitCode = await main(process.argv.slice(2));
