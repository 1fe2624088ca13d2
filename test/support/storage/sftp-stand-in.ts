import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import ssh2 from 'ssh2';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { testFolder } from './local-files.ts';

/** Makers of an SFTP session that misbehaves. */
export interface SftpStandInOptions {
  /** Password that is accepted; asked for in one of two ways. */
  readonly password?: string;
  readonly asks?: 'password' | 'keyboard';
  /** Handles a session; default: rejects every request. */
  readonly serve?: (sftp: ssh2.SFTPWrapper) => void;
  /** Never answers the client's greeting. */
  readonly isSilent?: boolean;
}

/** A stand-in for servers that OpenSSH is not: with passwords, without extensions, silent or hostile. */
export interface SftpStandIn {
  readonly port: number;
  /** Passwords that clients sent. */
  readonly passwords: readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts a stand-in on loopback. */
export async function openSftpStandIn(options: SftpStandInOptions = {}): Promise<SftpStandIn> {
  const { password = 'open sesame', asks = 'password', serve = () => {} } = options;
  const passwords: string[] = [];
  const path = join(testFolder(), 'host');
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
  const clients = new Set<ssh2.Connection>();
  const accept = (given: string, context: ssh2.AuthContext) => {
    passwords.push(given);
    if (given === password) context.accept();
    else context.reject();
  };
  const server = new ssh2.Server({ hostKeys: [readFileSync(path)] }, (client) => {
    clients.add(client);
    client.on('error', () => {});
    client.on('authentication', (context) => {
      if (context.method === 'password' && asks === 'password') accept(context.password, context);
      else if (context.method === 'keyboard-interactive' && asks === 'keyboard')
        context.prompt([{ prompt: 'Password: ', echo: false }], (answers) =>
          accept(answers[0] ?? '', context),
        );
      else context.reject([asks === 'password' ? 'password' : 'keyboard-interactive']);
    });
    client.on('session', (acceptSession) => {
      acceptSession().on('sftp', (acceptSftp) => {
        const sftp = acceptSftp();
        sftp.on('error', () => {});
        serve(sftp);
      });
    });
  });
  if (options.isSilent === true) {
    // Before the library sees the connection.
    const { createServer } = await import('node:net');
    const silent = createServer((socket) => socket.on('error', () => {}));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    return {
      port: (silent.address() as AddressInfo).port,
      passwords,
      close: async () => void silent.close(),
    };
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    passwords,
    close: async () => {
      for (const client of clients) client.end();
      server.close();
    },
  };
}
