import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Misconfigured } from '../../core/errors.ts';

/** Range below the ephemeral ports of Linux (32768) and macOS (49152). */
const portMin = 20_000;
const portMax = 32_000;

/**
 * Returns `preferred` when it is free on the loopback address, else a random free port.
 *
 * The port can be taken before it is used; the start then chooses again.
 *
 * @throws Misconfigured when fifty random ports were all in use.
 */
export async function chooseFreePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(portMin, portMax);
    if (await isFree(port)) return port;
  }
  throw new Misconfigured(
    `No free TCP port on 127.0.0.1 between ${portMin} and ${portMax} for the private Postgres server. Set DATABASE_URL to use another server.`,
  );
}

/** True when nothing listens at this port of the loopback address. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
