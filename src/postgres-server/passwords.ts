import { createHmac, randomBytes } from 'node:crypto';
import { access, lchown, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from './system/server-user.ts';
import { errorCode } from './system/system-error.ts';

/** Login roles with a stored password: the bootstrap superuser, and the three of docs/architecture/data-model.md. */
const firstRoles = ['postgres', 'nightshift_owner', 'nightshift_app', 'nightshift_reader'] as const;

/** All login roles of a private server. The password of the last one is derived, not stored. */
export const roles = [...firstRoles, 'nightshift_account_reader'] as const;
export type Role = (typeof roles)[number];

/** Password of every role. Letters and digits only, so that a URL needs no encoding. */
export type Passwords = Readonly<Record<Role, string>>;

/** Creates passwords of 192 random bits each. */
export function createPasswords(): Passwords {
  return withDerived({
    postgres: createPassword(),
    nightshift_owner: createPassword(),
    nightshift_app: createPassword(),
    nightshift_reader: createPassword(),
  });
}

/** Parses a password for every role, or returns the first role without one. */
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

/** Adds the password that is derived from the owner's, so that every process knows it without a change to the stored files. */
function withDerived(first: Readonly<Record<(typeof firstRoles)[number], string>>): Passwords {
  const derived = createHmac('sha256', first.nightshift_owner).update('nightshift_account_reader');
  return { ...first, nightshift_account_reader: derived.digest('hex').slice(0, 48) };
}

/**
 * Writes the passwords to a data folder, where they are as safe as the data.
 *
 * A lost state file is rebuilt from them. Without them, data that outlives its home (data of root is in /var/lib) would be inaccessible.
 */
export async function writeKeptPasswords(
  dataFolder: string,
  passwords: Passwords,
  user: ServerUser,
): Promise<void> {
  await writeFile(keptPath(dataFolder), JSON.stringify(passwords), { mode: 0o600, flag: 'wx' });
  if (user.spawnAs.uid !== undefined) await lchown(keptPath(dataFolder), user.uid, user.gid);
}

/** Reads the passwords in a data folder; undefined without such a folder, or if Nightshift did not create it. */
export async function readKeptPasswords(dataFolder: string): Promise<Passwords | undefined> {
  try {
    const passwords = parsePasswords(JSON.parse(await readFile(keptPath(dataFolder), 'utf8')));
    return typeof passwords === 'string' ? undefined : passwords;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Hides the passwords of a data folder that is complete but not in use, so that no lost state file is rebuilt from it. */
export function holdBackPasswords(dataFolder: string): Promise<void> {
  return rename(keptPath(dataFolder), heldPath(dataFolder));
}

/** Ends `holdBackPasswords`. Does nothing otherwise. */
export async function releasePasswords(dataFolder: string): Promise<void> {
  try {
    await rename(heldPath(dataFolder), keptPath(dataFolder));
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** True for a data folder that `holdBackPasswords` has prepared. */
export async function holdsBackPasswords(dataFolder: string): Promise<boolean> {
  try {
    await access(heldPath(dataFolder));
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

function keptPath(dataFolder: string): string {
  return join(dataFolder, 'nightshift-passwords.json');
}

function heldPath(dataFolder: string): string {
  return `${keptPath(dataFolder)}.held`;
}

function createPassword(): string {
  return randomBytes(24).toString('hex');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
