/** Time within which a second signal is the same Ctrl-C: npm forwards it, and the terminal has sent it to this process as well. */
export const npmRepeatMs = 100;

const pollEveryMs = 250;

/**
 * Calls `then` once, when the parent process has ended.
 *
 * `npx` runs a command through `sh -c` and sends SIGTERM to that shell only: the shell ends, and the command would keep running and hold
 * its port. Use it under npm only, because a server in the background outlives its shell on purpose.
 */
export function onParentGone(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, pollEveryMs).unref();
}
