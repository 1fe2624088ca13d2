import { createHash } from 'node:crypto';
import { Client, type SFTPWrapper } from 'ssh2';
import { onAbort } from '../../core/async/race-abort.ts';
import { StorageRejected } from '../../core/errors.ts';
import type { Credentials } from '../../core/storage/credentials.ts';
import type { SftpLocation } from '../../core/storage/location.ts';
import { openGuardedSocket } from '../http/guarded-socket.ts';
import type { ConnectOptions } from '../http/http-connect.ts';
import { notConnectedError } from './connection-errors.ts';
import { ConnectionLost, sshError } from './sftp-errors.ts';

/** Callback of an SFTP request. */
export type Done<T> = (error: Error | null | undefined, value: T) => void;

/** A connection to an SFTP server. */
export interface SftpSession {
  /** Sends a request. @throws ConnectionLost when the connection ends before the answer. */
  readonly call: <T>(request: (sftp: SFTPWrapper, done: Done<T>) => void) => Promise<T>;
  readonly isOpen: () => boolean;
  readonly end: () => void;
}

export interface SessionOptions extends ConnectOptions {
  readonly credentials: Credentials | null;
}

/** Name of a server in messages. */
export function serverName({ user, host, port }: SftpLocation): string {
  return `The SFTP server ${user}@${host}${port === 22 ? '' : `:${port}`}`;
}

/**
 * Connects and logs in. The password or the private key is used only when the server has the recorded key.
 *
 * @throws StorageUnavailable | StorageRejected
 */
export async function openSftpSession(
  location: SftpLocation,
  { credentials, ...options }: SessionOptions,
  signal: AbortSignal,
): Promise<SftpSession> {
  const { hostKey } = location;
  const where = serverName(location);
  if (hostKey === null) {
    throw new StorageRejected(`${where} has no recorded key. Add the location again, and check the key.`);
  }
  let shown: string | null = null;
  const client = new Client();
  const pending = trackRequests(client);
  const sock = await openSocket(location, options, signal);
  const forget = onAbort(signal, () => client.destroy());
  try {
    const sftp = await pending.track<SFTPWrapper>((done) => {
      client.once('error', (error) => done(error, undefined as never));
      client.once('ready', () => client.sftp(done));
      client.once('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
        finish(prompts.length === 1 ? [credentials?.password ?? ''] : []),
      );
      client.connect({
        sock,
        username: location.user,
        ...secretsOf(credentials),
        readyTimeout: 0,
        keepaliveInterval: 15_000,
        keepaliveCountMax: 3,
        hostVerifier: (key: Buffer) => {
          shown = fingerprint(key);
          return shown === hostKey;
        },
      });
    });
    sftp.on('error', () => client.destroy());
    return {
      call: (request) => pending.track((done) => request(sftp, done)),
      isOpen: pending.isOpen,
      end: () => client.destroy(),
    };
  } catch (error) {
    client.destroy();
    if (shown !== null && shown !== hostKey) throw otherKey(where, hostKey, shown);
    throw sshError(error, where);
  } finally {
    forget();
  }
}

/**
 * Reads the key that a server shows, as `SHA256:…`, so that a person can compare it before it is recorded. Does not log in.
 *
 * @throws StorageUnavailable | StorageRejected
 */
export async function readShownKey(
  location: SftpLocation,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<string> {
  const client = new Client();
  const pending = trackRequests(client);
  const sock = await openSocket(location, options, signal);
  const forget = onAbort(signal, () => client.destroy());
  try {
    return await pending.track<string>((done) => {
      client.once('error', (error) => done(error, ''));
      const hostVerifier = (key: Buffer) => {
        done(null, fingerprint(key));
        return false;
      };
      client.connect({ sock, username: location.user, readyTimeout: 0, hostVerifier });
    });
  } catch (error) {
    throw sshError(error, serverName(location));
  } finally {
    forget();
    client.destroy();
  }
}

async function openSocket(location: SftpLocation, options: ConnectOptions, signal: AbortSignal) {
  try {
    return await openGuardedSocket(location, options, signal);
  } catch (error) {
    throw notConnectedError(error, serverName(location));
  }
}

/** Requests that wait for an answer. All fail when the connection ends. */
function trackRequests(client: Client) {
  const waiting = new Set<(error: Error) => void>();
  let isOpen = true;
  // The last error is a reason to end; without a listener it would end the process.
  client.on('error', () => {});
  client.once('close', () => {
    isOpen = false;
    for (const fail of waiting) fail(new ConnectionLost());
  });
  return {
    isOpen: () => isOpen,
    track: <T>(request: (done: Done<T>) => void): Promise<T> =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(new ConnectionLost());
        const fail = (error: Error) => {
          waiting.delete(fail);
          reject(error);
        };
        waiting.add(fail);
        const done: Done<T> = (error, value) => {
          waiting.delete(fail);
          if (error) reject(error);
          else resolve(value);
        };
        try {
          request(done);
        } catch (error) {
          fail(error instanceof Error ? error : new Error('The request could not be sent', { cause: error }));
        }
      }),
  };
}

function secretsOf(credentials: Credentials | null) {
  const { password, privateKey, passphrase } = credentials ?? {};
  return {
    ...(password === undefined ? {} : { password, tryKeyboard: true }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

/** As `ssh-keygen -l` shows a key. */
function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function otherKey(where: string, recorded: string, shown: string): StorageRejected {
  return new StorageRejected(
    `${where} shows the key ${shown}, but ${recorded} is recorded. It may be another server: ask its operator. ` +
      'If the key was changed on purpose, add the location again with the new key. Nothing was sent.',
  );
}
