import type { ProofCase } from './cases.ts';
import { figuresText, resultText, type CaseResult } from './result.ts';

const begin = '<!-- `npm run proof` writes the table below. -->';
const end = '<!-- End of the table. -->';
const head = ['case', 'must show', 'result', 'figures', 'seed', 'date', 'commit', 'machine'];

/** Text of a case that has no result at full size. */
export const notRun = 'not run at full size';

/**
 * Renews the table of the record between its two comments: a row for each case, in their order. Rows of cases without a new result stay,
 * except for what a case must show; the text around the table stays, too.
 *
 * @throws Error when a comment is missing.
 */
export function renewRecord(
  text: string,
  cases: readonly ProofCase[],
  results: readonly CaseResult[],
): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The record has no place for its table: ${begin} … ${end}`);
  const before = readRows(text.slice(from, to));
  const rows = cases.map((one) => {
    const result = results.find(({ name }) => name === one.name);
    const kept = before.get(one.name) ?? [notRun, '', '', '', '', ''];
    return [`\`${one.name}\``, one.shows, ...(result === undefined ? kept : cellsOf(result))];
  });
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeCell).join(' | ')} |`);
  return `${text.slice(0, from)}${begin}\n\n${table.join('\n')}\n\n${text.slice(to)}`;
}

function cellsOf(result: CaseResult): readonly string[] {
  const { state, seed, date, commit, machine } = result;
  if (state === 'not run') return [`${notRun}: ${result.reason}`, '', '', '', '', ''];
  return [resultText(result), figuresText(result), `\`${seed}\``, date, commit, machine];
}

/** Cells after the first two of each row, by the name of the case. */
function readRows(table: string): ReadonlyMap<string, readonly string[]> {
  const rows = table.split('\n').map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
  return new Map(
    rows
      .filter((cells) => cells.length === head.length && /^`.+`$/.test(cells[0] ?? ''))
      .map(([name = '', , ...cells]) => [name.slice(1, -1), cells]),
  );
}

function escapeCell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
