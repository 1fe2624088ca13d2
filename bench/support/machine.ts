import { arch, cpus, platform, totalmem } from 'node:os';
import { withClient } from './bench-server.ts';

/** Properties of the machine that affect the results, without a database. */
export interface Host {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_gib: number;
  readonly platform: string;
  readonly node: string;
}

/** Properties of the machine and of Postgres. */
export interface Machine extends Host {
  readonly postgres: string;
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly shared_buffers: string;
}

/** Describes this machine. */
export function readHost(): Host {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${arch()}`,
    node: process.version,
  };
}

/** Describes this machine, and the settings of the server for durability. */
export async function readMachine(postgresUrl: string): Promise<Machine> {
  const setting = await withClient(postgresUrl, async (client) => {
    const rows = await client.query<{ name: string; setting: string }>(
      `SELECT name, current_setting(name) AS setting FROM pg_settings
        WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'shared_buffers')`,
    );
    return new Map(rows.rows.map((row) => [row.name, row.setting]));
  });
  return {
    ...readHost(),
    postgres: setting.get('server_version') ?? '',
    fsync: setting.get('fsync') ?? '',
    synchronous_commit: setting.get('synchronous_commit') ?? '',
    shared_buffers: setting.get('shared_buffers') ?? '',
  };
}
