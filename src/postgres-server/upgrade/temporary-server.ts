import { withSuperuser } from '../connection.ts';
import type { Binaries } from '../binaries/binaries.ts';
import type { Passwords, Role } from '../passwords.ts';
import { removeForeignPidFile, upgradeClusterName } from '../postmaster.ts';
import { boundLog, readLogSize } from '../server-log.ts';
import { startServer } from '../start.ts';
import { stopStarted, untilAccepting } from '../started-server.ts';
import { chooseFreePort } from '../system/port.ts';
import type { ServerUser } from '../system/server-user.ts';

/** Server that an upgrade has started for itself, on a port that no one knows. */
export interface TemporaryServer {
  readonly port: number;
  /** Returns the URL of a role for a database. Default: `nightshift`. */
  readonly url: (role: Role, database?: string) => string;
  readonly systemId: string;
}

interface TemporaryPlan {
  readonly dataFolder: string;
  readonly binaries: Binaries;
  readonly user: ServerUser;
  readonly passwords: Passwords;
  readonly settings: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs `work` with a server that other processes do not use: see `isOfUpgrade`. Stops the server before it returns. */
export async function withTemporary<T>(
  plan: TemporaryPlan,
  work: (server: TemporaryServer) => Promise<T>,
): Promise<T> {
  const { dataFolder, binaries, user, signal } = plan;
  await removeForeignPidFile(dataFolder);
  await boundLog(dataFolder);
  const logBytes = await readLogSize(dataFolder);
  const port = await chooseFreePort(undefined);
  const settings = { ...plan.settings, cluster_name: upgradeClusterName };
  const server = await startServer({ dataFolder, binaries, user, port, settings });
  try {
    await untilAccepting(server, { dataFolder, port, password: plan.passwords.postgres, logBytes, signal });
    return await work(await describeServer(port, plan));
  } finally {
    await stopStarted(dataFolder, server);
  }
}

async function describeServer(port: number, { passwords }: TemporaryPlan): Promise<TemporaryServer> {
  const systemId = await withSuperuser({ port, password: passwords.postgres }, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'SELECT system_identifier::text AS id FROM pg_control_system()',
    );
    return rows[0]?.id ?? '';
  });
  const url = (role: Role, database = 'nightshift') =>
    `postgres://${role}:${passwords[role]}@127.0.0.1:${port}/${database}`;
  return { port, url, systemId };
}
