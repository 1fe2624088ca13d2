import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../queue/test-redis.ts';
import { waitMsMax } from '../wait-bound.ts';

/** Mailboxes of a Postfix server. Addresses in lower case. */
export interface PostfixMailboxes {
  /** Addresses with a local mailbox. */
  readonly local: readonly string[];
  /** Addresses whose mail is forwarded. */
  readonly relayed: readonly string[];
  /** Domains that accept every address. */
  readonly catchAll: readonly string[];
  /** Domains whose existing mailboxes are greylisted. */
  readonly greylisted: readonly string[];
  /** Domains that greylist every address before any lookup. */
  readonly greylistedFirst: readonly string[];
}

export interface Postfix {
  readonly port: number;
  /** Log of Postfix and postgrey. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

const postfix = '/usr/sbin/postfix';
const postgrey = '/usr/sbin/postgrey';

/** Returns null if Debian's Postfix and postgrey can be run; otherwise the reason. */
export function postfixUnavailableReason(): string | null {
  const missing = [postfix, postgrey].filter((program) => !existsSync(program));
  if (missing.length > 0) return `${missing.join(' and ')} not installed`;
  return process.getuid?.() === 0 ? null : 'not root';
}

/** Greylisting delay of postgrey. */
const greylistSeconds = 4;

/**
 * Starts a separate Postfix with postgrey, both on loopback, in their own folder, independent of the machine's servers. Its
 * limits are the defaults. It accepts no mail: it has no delivery agent.
 */
export async function openPostfix(mailboxes: PostfixMailboxes): Promise<Postfix> {
  // Its daemons run as other users, who cannot enter the user's temporary folder.
  const folder = mkdtempSync('/tmp/nightshift-postfix-');
  chmodSync(folder, 0o755);
  const inFolder = (name: string) => join(folder, name);
  const [port, policyPort] = [await freePort(), await freePort()];
  for (const name of ['config', 'queue', 'data', 'grey']) mkdirSync(inFolder(name));
  await run('chown', ['postfix', inFolder('data')]);
  await run('chown', ['postgrey', inFolder('grey')]);
  writeFileSync(inFolder('config/main.cf'), mainSettings(folder, policyPort, mailboxes));
  writeFileSync(inFolder('config/master.cf'), services(port));
  let reported = '';
  const start = (program: string, args: readonly string[]) => {
    const started = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (reported += text));
    return started;
  };
  const grey = start(postgrey, [
    `--inet=127.0.0.1:${policyPort}`,
    `--dbdir=${inFolder('grey')}`,
    `--delay=${greylistSeconds}`,
    '--user=postgrey',
    '--group=postgrey',
    '--whitelist-clients=/dev/null',
    '--whitelist-recipients=/dev/null',
  ]);
  const mail = start(postfix, ['-c', inFolder('config'), 'start-fg']);
  const log = () => {
    const file = inFolder('mail.log');
    return existsSync(file) ? reported + readFileSync(file, 'utf8') : reported;
  };
  const close = async () => {
    await end(grey, grey.pid);
    await end(mail, masterPid(folder));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await vi.waitUntil(() => log().includes('daemon started') && log().includes('Setting uid'), {
      timeout: waitMsMax,
      interval: 50,
    });
  } catch (error) {
    const why = `Postfix did not start:\n${log()}`;
    await close();
    throw new Error(why, { cause: error });
  }
  return { port, log, close };
}

/** Pid of the daemon that Postfix leaves behind; its children end with it. */
function masterPid(folder: string): number | undefined {
  const file = join(folder, 'queue/pid/master.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

/** Ends the process; resolves when no process holds its output open. */
async function end(started: ChildProcess, pid: number | undefined): Promise<void> {
  const closed = started.stdout?.closed === true ? null : once(started, 'close');
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  await closed;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const [code] = (await once(spawn(program, args, { stdio: 'inherit' }), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}.`);
}

/** `main.cf` (postconf(5)). */
function mainSettings(
  folder: string,
  policyPort: number,
  { local, relayed, catchAll, greylisted, greylistedFirst }: PostfixMailboxes,
): string {
  return [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${folder}/mail.log`,
    `maillog_file_prefixes = ${folder}`,
    'myhostname = mx.acme.com',
    'inet_interfaces = 127.0.0.1',
    // The tests do not run as root.
    'mynetworks =',
    'smtpd_peername_lookup = no',
    `mydestination = ${domainsOf(local).join(', ')}`,
    `local_recipient_maps = ${table(local)}`,
    `relay_domains = ${domainsOf(relayed).join(', ')}`,
    `relay_recipient_maps = ${table(relayed)}`,
    'alias_maps =',
    `virtual_alias_domains = ${catchAll.join(', ')}`,
    `virtual_alias_maps = ${table(
      catchAll.map((domain) => `@${domain}`),
      local[0],
    )}`,
    'smtpd_relay_restrictions = reject_unauth_destination',
    'smtpd_restriction_classes = greylist',
    `greylist = check_policy_service inet:127.0.0.1:${policyPort}`,
    `smtpd_recipient_restrictions = ${[
      `check_recipient_access ${table(greylistedFirst, 'greylist')}`,
      'reject_unlisted_recipient',
      `check_recipient_access ${table(greylisted, 'greylist')}`,
    ].join(', ')}`,
    '',
  ].join('\n');
}

/** `master.cf` (master(5)): the services that are needed to reply to RCPT. */
function services(port: number): string {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'rewrite unix - - n - - trivial-rewrite',
    'anvil unix - - n - 1 anvil',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');
}

function table(keys: readonly string[], value = 'there'): string {
  return `inline:{ ${keys.map((key) => `${key}=${value}`).join(', ')} }`;
}

function domainsOf(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses.map((address) => address.slice(address.indexOf('@') + 1)))];
}
