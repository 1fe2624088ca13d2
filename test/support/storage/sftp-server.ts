import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../queue/test-redis.ts';
import { waitMsMax } from '../wait-bound.ts';

/** A running OpenSSH server on loopback. */
export interface SftpServer {
  readonly port: number;
  /** User that may log in with the private key. */
  readonly user: string;
  readonly privateKey: string;
  /** Key of the server, as `ssh-keygen -l` shows it. */
  readonly hostKey: string;
  /** Ends all connections; the server itself goes on. */
  readonly cutConnections: () => void;
  readonly close: () => Promise<void>;
}

const sshd = '/usr/sbin/sshd';
/** Every OpenSSH server needs it, for its unprivileged processes. */
const emptyFolder = '/run/sshd';

/** Returns null if OpenSSH's server can be run; otherwise the reason. */
export function sftpUnavailableReason(): string | null {
  if (!existsSync(sshd)) return `${sshd} not installed`;
  return process.getuid?.() === 0 || existsSync(emptyFolder) ? null : `not root, and ${emptyFolder} missing`;
}

/** Starts a separate OpenSSH server that offers SFTP only, with keys of its own, independent of the machine's server. */
export async function openSftpServer(): Promise<SftpServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-sshd-'));
  mkdirSync(emptyFolder, { recursive: true });
  const [hostKey, clientKey] = [makeKey(join(folder, 'host')), makeKey(join(folder, 'client'))];
  const port = await freePort();
  writeFileSync(join(folder, 'config'), settings(folder, port));
  const server = spawn(sshd, ['-D', '-e', '-f', join(folder, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const close = async () => {
    const ended = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : null;
    cutConnections(server.pid);
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await vi.waitUntil(() => log.includes('Server listening') || server.exitCode !== null, {
      timeout: waitMsMax,
    });
    if (server.exitCode !== null) throw new Error('it ended');
  } catch (error) {
    await close();
    throw new Error(`sshd did not start:\n${log}`, { cause: error });
  }
  return {
    port,
    user: userInfo().username,
    privateKey: readFileSync(clientKey, 'utf8'),
    hostKey: fingerprint(hostKey),
    cutConnections: () => cutConnections(server.pid),
    close,
  };
}

/** Each connection is a child of the server. One that has ended meanwhile needs no signal. */
function cutConnections(pid: number | undefined): void {
  spawnSync('pkill', ['-TERM', '--parent', String(pid)]);
}

function makeKey(path: string): string {
  const { status } = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
  if (status !== 0) throw new Error(`ssh-keygen ended with ${status}`);
  return path;
}

function fingerprint(path: string): string {
  const { stdout } = spawnSync('ssh-keygen', ['-l', '-f', `${path}.pub`], { encoding: 'utf8' });
  return stdout.split(' ')[1] ?? '';
}

/** sshd_config(5). */
function settings(folder: string, port: number): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/host`,
    `PidFile ${folder}/pid`,
    `AuthorizedKeysFile ${folder}/client.pub`,
    'AuthenticationMethods publickey',
    'PermitRootLogin yes',
    'StrictModes no',
    'UsePAM no',
    'UseDNS no',
    'MaxSessions 100',
    'MaxStartups 200',
    'Subsystem sftp internal-sftp',
    'ForceCommand internal-sftp',
    '',
  ].join('\n');
}
