import { exitCodes } from './context/exit-codes.ts';
import { npmRepeatMs, onParentGone } from './process/npm-parent.ts';
import { runProgram } from './run-program.ts';
import { eraseLine } from './terminal/status-line.ts';

/** Entry point of the process. Only this file reads its arguments, environment and signals, and sets its exit code. */
const interrupt = new AbortController();
// Set by npm and npx, which forward signals through a shell; see `npm-parent.ts`.
const isUnderNpm = process.env['npm_command'] !== undefined;
let interruptedAtMs = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) {
      if (isUnderNpm && performance.now() - interruptedAtMs < npmRepeatMs) return;
      if (process.stderr.isTTY) process.stderr.write(eraseLine);
      process.exit(exitCodes.interrupted);
    }
    stop(signal);
  });
}
if (isUnderNpm) onParentGone(() => stop('the end of npm'));

function stop(by: string): void {
  if (interrupt.signal.aborted) return;
  interruptedAtMs = performance.now();
  interrupt.abort(new Error(`Stopped by ${by}.`));
}

// A reader that closes stdout (`| head`) ends the output without an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  if (!isTerminalGone(error)) throw error;
});
// The reader of the progress is gone (`2>&1 | head`): the paid work continues.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && !isTerminalGone(error)) throw error;
});

/** True when the terminal was closed, which SIGHUP reports as well: running work still finishes. */
function isTerminalGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EIO';
}

const { argv, env, stdin, stdout, stderr } = process;
process.exitCode = await runProgram({
  args: argv,
  variables: env,
  stdin,
  stdout,
  stderr,
  signal: interrupt.signal,
});

// A client of a server that does not answer can outlive the command, and so can output that its reader takes slowly.
setInterval(() => {
  if (stdout.writableLength + stderr.writableLength === 0) process.exit();
}, 1000).unref();
