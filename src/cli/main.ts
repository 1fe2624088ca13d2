import { exitCodes } from './context/exit-codes.ts';
import { npmRepeatMs, onParentGone } from './process/npm-parent.ts';
import { runProgram } from './run-program.ts';
import { eraseLine } from './terminal/status-line.ts';

/** The process: its arguments, its environment, its signals and its exit code are known here and nowhere else. */
const interrupt = new AbortController();
// Set by npm and npx, which hand signals on through a shell; see `npm-parent.ts`.
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

// A reader of our stdout that goes away (`| head`) ends the output, not with an error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  if (!isTerminalGone(error)) throw error;
});
// Nobody reads the progress any more (`2>&1 | head`): the work, which is paid for, goes on.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && !isTerminalGone(error)) throw error;
});

/** A terminal that was closed, which its SIGHUP says too: what is under way still finishes. */
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
