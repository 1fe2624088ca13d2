/** Loaded before the product: kills the process, as `kill -9` does, where NIGHTSHIFT_TEST_FAILPOINT says. */
const place = process.env['NIGHTSHIFT_TEST_FAILPOINT'];

globalThis.nightshiftFailpoint = (name) => {
  if (name === place) process.kill(process.pid, 'SIGKILL');
};
