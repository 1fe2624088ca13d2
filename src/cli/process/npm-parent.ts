/** npm hands a Ctrl-C on that the terminal has sent to us as well: what comes so soon after the first is the same one. */
export const npmRepeatMs = 100;

const pollEveryMs = 250;

/**
 * Calls `then` once, when the process that started this one is gone.
 *
 * `npx` runs a command through `sh -c`, and hands SIGTERM to that shell: it ends, and what it runs would go on with its port taken.
 * Only to be watched under npm: a server that was put into the background outlives its shell rightly.
 */
export function onParentGone(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, pollEveryMs).unref();
}
