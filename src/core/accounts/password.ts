import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { ValidationError } from '../errors.ts';

/** Shorter passwords are guessed too easily; longer ones are an attack on the hash (NIST SP 800-63B §3.1.1.2). */
const charsMin = 12;
const charsMax = 200;

/** 2^17 blocks of 8: 128 MiB and about 0.3 s per attempt (OWASP Password Storage Cheat Sheet, scrypt). */
const cost = { logN: 17, r: 8, p: 1 } as const;
const saltBytes = 16;
const hashBytes = 32;

/**
 * Checks the length of a password; any characters are allowed.
 *
 * @throws ValidationError that states the allowed length.
 */
export function checkPassword(password: string): void {
  const chars = [...password].length;
  if (chars >= charsMin && chars <= charsMax) return;
  throw new ValidationError(`A password has ${charsMin} to ${charsMax} characters.`);
}

/** Hashes a password for storage with a new salt: `$scrypt$ln=17,r=8,p=1$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  return `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/**
 * True when the password matches the hash. Without a hash, the result is false after the same time, so that the response time
 * does not reveal which users exist or have a password.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { salt, hash, ...given } = parse(stored) ?? nobody;
  const own = await derive(password, salt, given);
  return timingSafeEqual(own, hash) && stored !== null;
}

interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

interface Stored extends Cost {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const nobody: Stored = { ...cost, salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes) };

function parse(stored: string | null): Stored | null {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([^$]+)\$([^$]+)$/.exec(stored ?? '');
  if (match === null) return null;
  const [, logN, r, p, salt = '', hash = ''] = match;
  return {
    logN: Number(logN),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** Passwords that differ only in their Unicode form are equal (NIST SP 800-63B §3.1.1.2). */
function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: 2 * 128 * r * 2 ** logN };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}
