import { versions } from 'node:process';
import { diagnose } from '../../../doctor/diagnose.ts';
import type { Finding, FindingStatus } from '../../../doctor/checks/check-result.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import type { Output } from '../../terminal/output.ts';
import { wrapText } from '../../terminal/wrap-text.ts';

/**
 * Checks the installation and prints each result with its remedy. The exit code is 0 with warnings only, 1 with a problem, 5 if
 * the database or the queue is unreachable.
 */
export const doctor: Command<[], object> = async ({ config, output }) => {
  const onProgress = (message: string) => output.note(`${message} …`);
  const { findings, isServerAway } = await diagnose(config(), { nodeVersion: versions.node, onProgress });
  const healthy = findings.every(({ status }) => status !== 'problem');
  output.result({ healthy, checks: findings }, () => doctorText(findings, output.colors));
  if (isServerAway) return exitCodes.serverUnreachable;
  return healthy ? exitCodes.done : exitCodes.someFailed;
};

const columns = 100;
const indent = ' '.repeat(11);

function doctorText(findings: readonly Finding[], colors: Output['colors']): string {
  const count = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  const verdict = `${findings.length} checks: ${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}.`;
  return [...findings.flatMap((finding) => findingLines(finding, colors)), '', verdict].join('\n');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a result: its status, what was found, and the remedy below. */
function findingLines({ name, status, found, remedy }: Finding, colors: Output['colors']): readonly string[] {
  const colored = { ok: colors.green, warning: colors.yellow, problem: colors.red }[status];
  const [first = '', ...more] = wrap(`${name}: ${found}`);
  return [
    `${colored(status.padEnd(indent.length))}${first}`,
    ...more.map((line) => `${indent}${line}`),
    ...(remedy === null ? [] : wrap(`→ ${remedy}`).map((line) => `${indent}${line}`)),
  ];
}

/** Wraps a text beside the status. Line ends in a message of a server become spaces. */
function wrap(text: string): readonly string[] {
  return wrapText(text.replace(/\s+/g, ' '), columns - indent.length).split('\n');
}
