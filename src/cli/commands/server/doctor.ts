import { versions } from 'node:process';
import { diagnose } from '../../../doctor/diagnose.ts';
import type { Finding, FindingStatus } from '../../../doctor/checks/check-result.ts';
import { counted } from '../../../core/events/messages/text.ts';
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
  output.result({ healthy, checks: findings }, () => doctorText(findings, output));
  if (isServerAway) return exitCodes.serverUnreachable;
  return healthy ? exitCodes.done : exitCodes.someFailed;
};

const columnsMax = 100;
const indent = ' '.repeat(11);

function doctorText(findings: readonly Finding[], output: Output): string {
  const count = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  const verdict = `${findings.length} checks: ${counted(count('problem'), 'problem')}, ${counted(count('warning'), 'warning')}.`;
  return [...findings.flatMap((finding) => findingLines(finding, output)), '', verdict].join('\n');
}

/** Formats a result: its status, what was found, and the remedy below. */
function findingLines({ name, status, found, remedy }: Finding, output: Output): readonly string[] {
  const { colors } = output;
  const room = Math.min(columnsMax, output.tableColumns()) - indent.length;
  const colored = { ok: colors.green, warning: colors.yellow, problem: colors.red }[status];
  const [first = '', ...more] = wrap(`${name}: ${found}`, room);
  return [
    `${colored(status.padEnd(indent.length))}${first}`,
    ...more.map((line) => `${indent}${line}`),
    ...(remedy === null ? [] : wrap(output.commands(`→ ${remedy}`), room).map((line) => `${indent}${line}`)),
  ];
}

/** Wraps a text beside the status. Line ends in a message of a server become blanks. */
function wrap(text: string, columns: number): readonly string[] {
  return wrapText(text.replace(/\s+/g, ' '), columns).split('\n');
}
