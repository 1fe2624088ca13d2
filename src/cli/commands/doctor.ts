import { versions } from 'node:process';
import { diagnose } from '../../doctor/diagnose.ts';
import type { Finding, FindingStatus } from '../../doctor/finding.ts';
import type { Command } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Output } from '../output.ts';

/**
 * Checks what a night depends on, and prints each finding with its remedy. Warnings leave the exit code 0; a problem makes it 1, a
 * database or queue that cannot be reached 5.
 */
export const doctor: Command<[], object> = async ({ config, output }) => {
  const onProgress = (message: string) => output.note(`${message} …`);
  const { findings, isServerAway } = await diagnose(config(), { nodeVersion: versions.node, onProgress });
  const healthy = findings.every(({ status }) => status !== 'problem');
  output.result({ healthy, checks: findings }, () => doctorText(findings, output.colors));
  if (isServerAway) return exitCodes.serverAway;
  return healthy ? exitCodes.done : exitCodes.someFailed;
};

const columns = 100;
const indent = ' '.repeat(11);

function doctorText(findings: readonly Finding[], colors: Output['colors']): string {
  const count = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  const verdict = `${findings.length} checks. Problems: ${count('problem')}, warnings: ${count('warning')}.`;
  return [...findings.flatMap((finding) => findingLines(finding, colors)), '', verdict].join('\n');
}

/** `ok` and the like, then what was found, and the remedy below it. */
function findingLines({ name, status, found, remedy }: Finding, colors: Output['colors']): readonly string[] {
  const colored = { ok: colors.green, warning: colors.yellow, problem: colors.red }[status];
  const [first = '', ...more] = wrap(`${name}: ${found}`, columns - indent.length);
  return [
    `${colored(status.padEnd(indent.length))}${first}`,
    ...more.map((line) => `${indent}${line}`),
    ...(remedy === null
      ? []
      : wrap(`→ ${remedy}`, columns - indent.length).map((line) => `${indent}${line}`)),
  ];
}

/** Breaks text at its spaces into lines of at most `width` characters; a longer word stands alone on its line. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
