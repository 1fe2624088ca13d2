import Table from 'cli-table3';
import type { Proof } from './prove.ts';

/** Formats the proofs as one JSON document. */
export function printJson(proofs: readonly Proof[]): string {
  const bugs = proofs.map(({ bug: { name, guard, file, tests }, verdict, by, seconds }) => {
    return { name, guard, file, tests, verdict, by, seconds: Math.round(seconds * 10) / 10 };
  });
  return `${JSON.stringify({ bugs }, null, 2)}\n`;
}

/** Formats the table of `docs/contributing/seeded-bugs.md`. */
export function printMarkdown(proofs: readonly Proof[]): string {
  const rows = proofs.map(({ bug, verdict, by }) =>
    [
      bug.name,
      bug.guard,
      `\`${bug.file}\``,
      bug.tests.map((test) => `\`${test}\``).join(', '),
      `${verdict}: ${by}`,
    ].map((cell) => cell.replaceAll('|', '\\|')),
  );
  const head = ['bug', 'guard it takes away', 'file', 'tests', 'proof'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Formats a table for the terminal. */
export function printTable(proofs: readonly Proof[]): string {
  const table = new Table({ head: ['bug', 'guard', 'verdict', 'by', 's'], style: { head: [], border: [] } });
  for (const { bug, verdict, by, seconds } of proofs)
    table.push([bug.name, bug.guard, verdict, by, seconds.toFixed(1)]);
  return `${table.toString()}\n`;
}
