/**
 * Settings of a private server that differ from Postgres's own, given on its command line at every start.
 *
 * `min_dynamic_shared_memory` because containers give /dev/shm only 64 MB, where parallel queries would fail.
 * `log_min_messages=log` keeps errors of statements out of the server's log: they hold addresses, and whoever sent the
 * statement gets them anyway.
 */
const defaults: Readonly<Record<string, string>> = {
  max_connections: '200',
  shared_buffers: '256MB',
  min_dynamic_shared_memory: '32MB',
  max_wal_size: '2GB',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
  cluster_name: 'nightshift',
};

/** Fixed settings: the server is for this machine alone. */
function fixed(port: number): Readonly<Record<string, string>> {
  return { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' };
}

/** The command line of `postgres` on `dataFolder`: our defaults, then `settings` over them, then what is fixed. */
export function serverArguments(
  dataFolder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): readonly string[] {
  const all = Object.entries({ ...defaults, ...settings, ...fixed(port) });
  return ['-D', dataFolder, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
