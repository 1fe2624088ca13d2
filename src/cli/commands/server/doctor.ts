import { versions } from 'node:process';
import { diagnose } from '../../../doctor/diagnose.ts';
import type { Finding, FindingStatus } from '../../../doctor/checks/check-result.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import type { Output } from '../../terminal/output.ts';
import { wrapText } from '../../terminal/wrap-text.ts';

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
  const [first = '', ...more] = wrap(`${name}: ${found}`);
  return [
    `${colored(status.padEnd(indent.length))}${first}`,
    ...more.map((line) => `${indent}${line}`),
    ...(remedy === null ? [] : wrap(`→ ${remedy}`).map((line) => `${indent}${line}`)),
  ];
}

/** Lines that fit beside the status. Line ends that a message of a server holds do not count. */
function wrap(text: string): readonly string[] {
  return wrapText(text.replace(/\s+/g, ' '), columns - indent.length).split('\n');
}
