import type { ProofCase } from './cases.ts';
import { figureLines, resultText, type CaseResult } from './result.ts';

const begin = '<!-- `npm run proof` writes what follows. -->';
const end = '<!-- End of the record. -->';

/** Text of a case that has no result at full size. */
export const notRun = 'not run at full size';

/**
 * Renews the record between its two comments: a section for each case, in their order. The results of cases without a new one stay; so
 * does the text around the record.
 *
 * @throws Error when a comment is missing.
 */
export function renewRecord(
  text: string,
  cases: readonly ProofCase[],
  results: readonly CaseResult[],
): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from)
    throw new Error(`The document has no place for the record: ${begin} … ${end}`);
  const before = readResults(text.slice(from + begin.length, to));
  const sections = cases.map(({ name, shows }) => {
    const result = results.find((one) => one.name === name);
    const kept = before.get(name) ?? `- Result: ${notRun}`;
    return `### \`${name}\`\n\nMust show: ${shows}.\n\n${result === undefined ? kept : listOf(result)}`;
  });
  return `${text.slice(0, from)}${begin}\n\n${sections.join('\n\n')}\n\n${text.slice(to)}`;
}

/** Result of a case as a list of Markdown: the result, where and when it ran, and its figures. */
function listOf(result: CaseResult): string {
  const { state, reason, seconds, seed, date, commit, machine } = result;
  if (state === 'not run') return `- Result: ${notRun}: ${onOneLine(reason)}`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  return [
    `Result: ${resultText(result)}, ${minutes} min`,
    `Run: ${date}, commit ${commit}, seed \`${seed}\`, ${machine}`,
    ...figureLines(result),
  ]
    .map((line) => `- ${onOneLine(line)}`)
    .join('\n');
}

/** Text below the first paragraph of each section, by the name of the case. */
function readResults(sections: string): ReadonlyMap<string, string> {
  return new Map(
    sections
      .split(/^### /m)
      .slice(1)
      .map((section) => {
        const [heading = '', , ...rest] = section.split('\n\n');
        return [heading.trim().slice(1, -1), rest.join('\n\n').trim()];
      }),
  );
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
