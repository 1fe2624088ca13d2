/**
 * Default settings of a private server that differ from those of Postgres, passed on its command line at every start.
 *
 * `min_dynamic_shared_memory`: containers limit /dev/shm to 64 MB, which is too small for parallel queries. `log_min_messages=log` keeps
 * errors of statements out of the log of the server, because they contain addresses; the client receives them anyway.
 */
const defaults: Readonly<Record<string, string>> = {
  max_connections: '200',
  shared_buffers: '256MB',
  min_dynamic_shared_memory: '32MB',
  max_wal_size: '2GB',
  // Without a restart, a backup can then begin to keep the WAL.
  archive_mode: 'on',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
  cluster_name: 'nightshift',
};

/** Returns the fixed settings: the server accepts connections from this machine only. */
function fixed(port: number): Readonly<Record<string, string>> {
  return { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' };
}

/** Returns the arguments of `postgres` for `dataFolder`: the defaults, overridden by `settings`, then the fixed settings. */
export function serverArguments(
  dataFolder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): readonly string[] {
  const all = Object.entries({ ...defaults, ...settings, ...fixed(port) });
  return ['-D', dataFolder, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
