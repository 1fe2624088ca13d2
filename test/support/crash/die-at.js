/** Loaded before the product: kills the process like `kill -9` at the failpoint of NIGHTSHIFT_TEST_FAILPOINT. */
const place = process.env['NIGHTSHIFT_TEST_FAILPOINT'];

globalThis.nightshiftFailpoint = (name) => {
  if (name === place) process.kill(process.pid, 'SIGKILL');
};
