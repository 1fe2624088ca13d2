import { createHmac, randomBytes } from 'node:crypto';
import { lchown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from './system/server-user.ts';
import { errorCode } from './system/system-error.ts';

/** Login roles with a password of their own: the bootstrap superuser, and the three of docs/architecture/data-model.md. */
const firstRoles = ['postgres', 'nightshift_owner', 'nightshift_app', 'nightshift_reader'] as const;

/** All login roles of a private server. The last one came later: servers that were made before have no password kept for it. */
export const roles = [...firstRoles, 'nightshift_account_reader'] as const;
export type Role = (typeof roles)[number];

/** A password for every role. Letters and digits only, so that they stand in a URL as they are. */
export type Passwords = Readonly<Record<Role, string>>;

/** New passwords of 192 random bits each: nothing to guess, and nothing to remember. */
export function createPasswords(): Passwords {
  return withDerived({
    postgres: createPassword(),
    nightshift_owner: createPassword(),
    nightshift_app: createPassword(),
    nightshift_reader: createPassword(),
  });
}

/** Reads a password for every role out of an unknown value, or answers the name of the first role without one. */
export function parsePasswords(value: unknown): Passwords | Role {
  const given: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const missing = firstRoles.find((role) => !/^[0-9a-zA-Z]+$/.test(textOf(given[role])));
  if (missing !== undefined) return missing;
  return withDerived({
    postgres: textOf(given['postgres']),
    nightshift_owner: textOf(given['nightshift_owner']),
    nightshift_app: textOf(given['nightshift_app']),
    nightshift_reader: textOf(given['nightshift_reader']),
  });
}

/** Worked out from the owner's, so that every process knows it, also of a server whose files were written before there was such a role. */
function withDerived(first: Readonly<Record<(typeof firstRoles)[number], string>>): Passwords {
  const derived = createHmac('sha256', first.nightshift_owner).update('nightshift_account_reader');
  return { ...first, nightshift_account_reader: derived.digest('hex').slice(0, 48) };
}

/**
 * Puts the passwords into a data folder, where they are as safe as the data are.
 *
 * A lost state file is rebuilt from them. Without them, data that outlive their home (root keeps them under /var/lib)
 * could never be entered again.
 */
export async function writeKeptPasswords(
  dataFolder: string,
  passwords: Passwords,
  user: ServerUser,
): Promise<void> {
  await writeFile(keptPath(dataFolder), JSON.stringify(passwords), { mode: 0o600, flag: 'wx' });
  if (user.spawnAs.uid !== undefined) await lchown(keptPath(dataFolder), user.uid, user.gid);
}

/** The passwords kept in a data folder; undefined when there is no such folder, or it was not made by us. */
export async function readKeptPasswords(dataFolder: string): Promise<Passwords | undefined> {
  try {
    const passwords = parsePasswords(JSON.parse(await readFile(keptPath(dataFolder), 'utf8')));
    return typeof passwords === 'string' ? undefined : passwords;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function keptPath(dataFolder: string): string {
  return join(dataFolder, 'nightshift-passwords.json');
}

function createPassword(): string {
  return randomBytes(24).toString('hex');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
