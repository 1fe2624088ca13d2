import { join } from 'node:path';
import { codeBlocksOf } from '../docs/markdown.ts';

/** Name and ports on loopback of a server and of its Patroni. */
export interface PatroniAddress {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
}

/** What the settings of a Patroni name. */
interface PatroniPlace extends PatroniAddress {
  /** Folder for the data, which Patroni creates, and for its files. */
  readonly folder: string;
  readonly etcdPort: number;
  /** Folder of the programs of Postgres. */
  readonly binaries: string;
  readonly password: string;
}

/** Name of the cluster in etcd. */
export const scope = 'night';
const guide = 'docs/guides/postgres.md';

/** Times in seconds at which a failover takes seconds. Patroni wants `ttl` to be at least `loop_wait` and two `retry_timeout`. */
const times = { ttl: 5, loop_wait: 1, retry_timeout: 2 };

/** Settings of a Patroni: those of the guide with short times, and its own addresses. */
export function patroniSettings({ name, port, restPort, ...place }: PatroniPlace): string {
  const { folder, etcdPort, binaries, password } = place;
  const shared = Object.entries(times).reduce(
    (text, [setting, seconds]) => replaced(text, new RegExp(`(?<= ${setting}: )\\d+`), String(seconds)),
    blockOfGuide('yaml', 'synchronous_mode'),
  );
  return `${shared}  initdb:
    - encoding: UTF8
    - auth-host: scram-sha-256
scope: ${scope}
name: ${name}
restapi:
  listen: 127.0.0.1:${restPort}
  connect_address: 127.0.0.1:${restPort}
etcd3:
  host: 127.0.0.1:${etcdPort}
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${join(folder, name)}
  bin_dir: ${binaries}
  pgpass: ${join(folder, `${name}.pgpass`)}
  authentication:
    superuser: { username: postgres, password: ${password} }
    replication: { username: replicator, password: ${password} }
  parameters:
    unix_socket_directories: ''
  pg_hba:
    - host replication replicator 127.0.0.1/32 scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
`;
}

/** Settings of the guide for HAProxy, with these servers and ports on loopback. */
export function haproxySettings(
  nodes: readonly PatroniAddress[],
  ports: { readonly primary: number; readonly standbys: number },
): string {
  const onLoopback = nodes.reduce(
    (text, { name, port, restPort }) =>
      replaced(
        text,
        new RegExp(`(?<=server ${name} )${name}:5432 check port 8008`, 'g'),
        `127.0.0.1:${port} check port ${restPort}`,
      ),
    blockOfGuide('text', 'listen primary'),
  );
  const atPrimary = replaced(onLoopback, /\*:5000/, `127.0.0.1:${ports.primary}`);
  return replaced(atPrimary, /\*:5001/, `127.0.0.1:${ports.standbys}`);
}

function blockOfGuide(language: string, part: string): string {
  const block = codeBlocksOf(guide).find((each) => each.language === language && each.text.includes(part));
  if (block === undefined) throw new Error(`${guide} has no block with "${part}".`);
  return block.text;
}

function replaced(text: string, pattern: RegExp, by: string): string {
  if (text.search(pattern) === -1) throw new Error(`The settings in ${guide} have nothing like ${pattern}.`);
  return text.replace(pattern, by);
}
