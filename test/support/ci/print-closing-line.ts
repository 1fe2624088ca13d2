import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closingLine, countSteps, listFailures, type Step } from './closing-line.ts';

/**
 * `tsx print-closing-line.ts FOLDER`: prints the failures and the closing line of `.ci/run`. The folder has a file `NAME.exit`
 * for each step with the exit code of its command, and `NAME.json` if it wrote a report. Exits with 0 if nothing failed and
 * something passed.
 */
function main(folder: string): number {
  const steps = readSteps(folder);
  const counts = countSteps(steps);
  for (const failure of listFailures(steps)) process.stdout.write(`${failure}\n`);
  process.stdout.write(`${closingLine(counts)}\n`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

function readSteps(folder: string): readonly Step[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.exit'));
  return names.map((name) => {
    const reportFile = join(folder, name.replace(/\.exit$/, '.json'));
    return {
      exitCode: Number(readFileSync(join(folder, name), 'utf8')),
      report: existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as unknown) : null,
    };
  });
}

process.exitCode = main(process.argv[2] ?? '.');
