/** Loaded before the product: kills the process, as `kill -9` does, where NIGHTSHIFT_TEST_CRASH_POINT says. */
const place = process.env['NIGHTSHIFT_TEST_CRASH_POINT'];

globalThis.nightshiftCrashPoint = (name) => {
  if (name === place) process.kill(process.pid, 'SIGKILL');
};
