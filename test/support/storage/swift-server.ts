import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../queue/test-redis.ts';
import type { AccessKey } from './verify-signature.ts';

/** OpenStack Swift with its S3 interface, on loopback. */
export interface SwiftServer {
  /** Origin of the S3 interface. */
  readonly url: string;
  readonly key: AccessKey;
  readonly close: () => Promise<void>;
}

/** Servers that store parts of the data, by the name of their kind. */
const kinds = ['account', 'container', 'object'] as const;
const programs = [...kinds, 'proxy'].map((kind) => `/usr/bin/swift-${kind}-server`);
const python = '/usr/bin/python3';

/** Returns null if Debian's Swift can be run; otherwise the reason. */
export function swiftUnavailableReason(): string | null {
  const missing = programs.filter((program) => !existsSync(program));
  if (missing.length > 0) return `${missing.join(', ')} not installed`;
  return process.getuid?.() === 0 ? null : 'not root';
}

/** Starts Swift with one device in a folder of its own, in about eight seconds. */
export async function openSwiftServer(): Promise<SwiftServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-swift-'));
  const ports = { account: await freePort(), container: await freePort(), object: await freePort() };
  const port = await freePort();
  const key = { accessKeyId: 'test:tester', secretAccessKey: 'secret-key', region: 'eu-test-1' };
  mkdirSync(join(folder, 'devices/one'), { recursive: true });
  writeFileSync(join(folder, 'swift.conf'), swiftSettings);
  for (const kind of kinds) {
    writeFileSync(join(folder, `${kind}.conf`), storageSettings(folder, kind, ports[kind]));
    makeRing(folder, kind, ports[kind]);
  }
  writeFileSync(join(folder, 'proxy.conf'), proxySettings(folder, port, key));
  const servers = [...kinds, 'proxy'].map((kind) => start(folder, kind));
  const close = async () => {
    await Promise.all(servers.map(end));
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await vi.waitUntil(() => answersAll([port, ...Object.values(ports)]), { timeout: 60_000, interval: 100 });
  } catch (error) {
    const log = [...kinds, 'proxy']
      .map((kind) => readFileSync(join(folder, `${kind}.log`), 'utf8'))
      .join('\n');
    await close();
    throw new Error(`Swift did not start:\n${log}`, { cause: error });
  }
  return { url, key, close };
}

async function answersAll(ports: readonly number[]): Promise<boolean> {
  const answers = await Promise.all(
    ports.map((port) =>
      fetch(`http://127.0.0.1:${port}/`).then(
        (answer) => answer.text(),
        () => null,
      ),
    ),
  );
  return answers.every((answer) => answer !== null);
}

function start(folder: string, kind: string): ChildProcess {
  const server = spawn(`/usr/bin/swift-${kind}-server`, [join(folder, `${kind}.conf`), '-v'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder, `${kind}.log`));
  server.stdout.pipe(log, { end: false });
  server.stderr.pipe(log, { end: false });
  return server;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

/** A ring names the device that stores a partition; here there is one device. */
function makeRing(folder: string, kind: string, port: number): void {
  const script = `
import sys
from swift.common.ring import RingBuilder
folder, kind, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
ring = RingBuilder(2, 1, 0)
ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'replication_ip': '127.0.0.1',
              'replication_port': port, 'device': 'one', 'weight': 1.0, 'meta': ''})
ring.rebalance()
ring.get_ring().save(f'{folder}/{kind}.ring.gz')
`;
  const { status, stderr } = spawnSync(python, ['-c', script, folder, kind, String(port)], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The ring could not be made: ${stderr}`);
}

const swiftSettings = `[swift-hash]
swift_hash_path_suffix = a
swift_hash_path_prefix = b
[storage-policy:0]
name = only
default = yes
`;

function common(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = ${folder}
`;
}

function storageSettings(folder: string, kind: string, port: number): string {
  return `${common(folder, port)}devices = ${folder}/devices
mount_check = false
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;
}

function proxySettings(
  folder: string,
  port: number,
  { accessKeyId, secretAccessKey, region }: AccessKey,
): string {
  return `${common(folder, port)}[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = ${region}
[filter:tempauth]
use = egg:swift#tempauth
user_${accessKeyId.replace(':', '_')} = ${secretAccessKey} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
`;
}
